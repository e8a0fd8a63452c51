'use client'
import { useCallback } from 'react'
import { getUsage } from '../fold/index.js'
import type { JsonObject, Usage } from '../protocol/index.js'
import type { ChatState } from '../store/index.js'
import { ownEntry } from './ownEntry.js'
import { useChatSelector, useChatValue } from './useChatStore.js'

/** Tokens used by the whole conversation. Re-renders when a number changes. Needs an `AgentStreamProvider`. */
export function useUsage(): Usage {
  return useChatValue(selectUsage)
}

function selectUsage({ conversation }: ChatState): Usage {
  return getUsage(conversation)
}

/**
 * The latest value of a `CUSTOM` event, such as `state_updated` with the agent's tasks.
 *
 * Re-renders when another value comes. Needs an `AgentStreamProvider`.
 *
 * @param name - The event's name.
 * @returns Null when none came.
 */
export function useNotice(name: string): JsonObject | null {
  return useChatSelector(
    useCallback(({ conversation }: ChatState) => ownEntry(conversation.notices, name), [name]),
  )
}
