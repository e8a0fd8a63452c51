'use client'
import { useContext, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { PendingRequest } from '../fold/index.js'
import { getUsage } from '../fold/index.js'
import type {
  AgentBackend,
  Capabilities,
  ConnectionState,
  Msg,
  TransportError,
  Usage,
} from '../protocol/index.js'
import type {
  ChatCommands,
  ChatOptions,
  ChatPhase,
  ChatState,
  ChatStore,
  HistoryState,
  SendBlock,
  SendState,
} from '../store/index.js'
import { selectError, selectPhase, selectSendBlock } from '../store/index.js'
import { ChatContext } from './ChatContext.js'
import { createChatRegistry } from './createChatRegistry.js'
import { NO_CONVERSATION } from './useChatStore.js'
import { useHeldStore } from './useHeldStore.js'

/** A conversation as `useAgentStream` gives it: what is known, and what a person can do. */
export interface AgentStream extends ChatCommands {
  /** The messages, oldest first. */
  readonly messages: readonly Msg[]
  /** What the conversation is doing, in one word. */
  readonly phase: ChatPhase
  /** Where the live connection stands. */
  readonly connection: ConnectionState
  /** The failure that matters most now, or null. */
  readonly error: TransportError | null
  /** What waits for the person or for the client, in the order asked. */
  readonly requests: readonly PendingRequest[]
  /** Where the stored messages stand. */
  readonly history: HistoryState
  /** What is on its way or failed, by message id, request key or `CONTINUE_ID`. */
  readonly sends: Readonly<Record<string, SendState>>
  /** Why a message cannot be sent now, or null when it can. */
  readonly sendBlock: SendBlock | null
  /** Tokens used by the whole conversation. */
  readonly usage: Usage
  /** What the backend can do. */
  readonly capabilities: Capabilities
  /** The store behind it all, for finer reading. */
  readonly store: ChatStore
}

/**
 * A conversation with an agent: connects while mounted, and gives its messages, its state and its commands.
 *
 * Re-renders with each commit, so up to once per frame while a reply streams; to read less, use `useMessageIds`,
 * `useMessage`, `usePhase` and the like below an `AgentStreamProvider`. Works without a provider; below one, callers with
 * the same `backend.key` share one store and one connection. Safe on a server, where nothing connects.
 *
 * @param backend - Whose conversation; may be made anew with each render, its `key` decides. Left out, the provider's.
 * @param options - Settings and taps; taps may change with each render.
 * @throws Error when there is neither a backend nor a provider with one.
 *
 * @example
 * ```tsx
 * const { messages, phase, send } = useAgentStream(backend, { onError: report })
 * ```
 */
export function useAgentStream(backend?: AgentBackend, options?: ChatOptions): AgentStream {
  const context = useContext(ChatContext)
  const [ownRegistry] = useState(createChatRegistry)
  const registry = context?.registry ?? ownRegistry
  const store = useHeldStore(registry, backend, options, context?.store)
  if (store === null) throw new Error(NO_CONVERSATION)
  const state = useStore(store)
  return useMemo(() => describe(store, state), [store, state])
}

function describe(store: ChatStore, state: ChatState): AgentStream {
  const { conversation, connection, history, sends } = state
  const { capabilities } = store.backend
  return {
    ...store.commands,
    messages: conversation.messages,
    phase: selectPhase(state),
    connection,
    error: selectError(state),
    requests: conversation.requests,
    history,
    sends,
    sendBlock: selectSendBlock(state, capabilities),
    usage: getUsage(conversation),
    capabilities,
    store,
  }
}
