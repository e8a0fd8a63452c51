'use client'
import { useContext } from 'react'
import { useStore } from 'zustand'
import type { ChatState, ChatStore } from '../store/index.js'
import { ChatContext } from './ChatContext.js'

/**
 * The store of the current conversation; never re-renders by itself.
 *
 * Needs an `AgentStreamProvider` with a backend above, else it throws. Safe on a server.
 */
export function useChatStore(): ChatStore {
  const store = useContext(ChatContext)?.store
  if (store === undefined || store === null) throw new Error(NO_CONVERSATION)
  return store
}

/** What to do when a hook finds no conversation. */
export const NO_CONVERSATION =
  'No conversation here, so there is nothing to read or to send to: ' +
  'render <AgentStreamProvider backend={…}> above this component, or pass `backend` to <AgentChat>.'

/**
 * A part of the current conversation's state, chosen by the caller.
 *
 * Re-renders when the selected value is another one (`Object.is`): a selector that makes a new object each time renders
 * for ever, so select something that is in the state, or a primitive.
 *
 * @param selector - Picks the part; pure.
 */
export function useChatSelector<Selected>(selector: (state: ChatState) => Selected): Selected {
  return useStore(useChatStore(), selector)
}
