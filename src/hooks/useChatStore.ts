'use client'
import { useContext, useRef } from 'react'
import { useStore } from 'zustand'
import { isEqualJson } from '../fold/index.js'
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

/**
 * The same for a selector that makes something new each time, such as a list of ids: the result stays the same object as long as it
 * says the same.
 *
 * @param selector - Makes JSON; pure.
 */
export function useChatValue<Selected>(selector: (state: ChatState) => Selected): Selected {
  const last = useRef<Selected>(undefined)
  return useChatSelector((state) => {
    const next = selector(state)
    if (last.current !== undefined && isEqualJson(last.current, next)) return last.current
    last.current = next
    return next
  })
}
