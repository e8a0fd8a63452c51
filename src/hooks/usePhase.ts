'use client'
import { useCallback } from 'react'
import type { ConnectionState, TransportError } from '../protocol/index.js'
import type { ChatPhase, ChatState, HistoryState, SendBlock, SendState } from '../store/index.js'
import { selectError, selectPhase, selectSendBlock } from '../store/index.js'
import { ownEntry } from './ownEntry.js'
import { useChatSelector, useChatStore } from './useChatStore.js'

/** What the conversation is doing, in one word. Re-renders when the word changes. Needs an `AgentStreamProvider`. */
export function usePhase(): ChatPhase {
  return useChatSelector(selectPhase)
}

/** Where the live connection stands. Re-renders when that changes. Needs an `AgentStreamProvider`. */
export function useConnection(): ConnectionState {
  return useChatSelector(selectConnection)
}

/** Where the stored messages stand. Re-renders when that changes. Needs an `AgentStreamProvider`. */
export function useHistory(): HistoryState {
  return useChatSelector(selectHistory)
}

/**
 * The failure that matters most now, or null: a connection given up, unreadable history, the latest command.
 * Re-renders when it is another one. Needs an `AgentStreamProvider`.
 */
export function useChatError(): TransportError | null {
  return useChatSelector(selectError)
}

/**
 * Why a message cannot be sent now, or null when it can. Re-renders when the reason changes.
 * Needs an `AgentStreamProvider`.
 */
export function useSendBlock(): SendBlock | null {
  const { capabilities } = useChatStore().backend
  return useChatSelector(
    useCallback((state: ChatState) => selectSendBlock(state, capabilities), [capabilities]),
  )
}

/**
 * Where something that was sent stands. Re-renders when that changes. Needs an `AgentStreamProvider`.
 *
 * @param id - A message's id, a request's key, or `CONTINUE_ID`.
 * @returns Null when nothing is on its way under that id.
 */
export function useSendState(id: string): SendState | null {
  return useChatSelector(useCallback(({ sends }: ChatState) => ownEntry(sends, id), [id]))
}

function selectConnection({ connection }: ChatState): ConnectionState {
  return connection
}

function selectHistory({ history }: ChatState): HistoryState {
  return history
}
