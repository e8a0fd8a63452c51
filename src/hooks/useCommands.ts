'use client'
import type { Capabilities } from '../protocol/index.js'
import type { ChatCommands } from '../store/index.js'
import { useChatStore } from './useChatStore.js'

/** What a person can do with the current conversation; never re-renders by itself. Needs an `AgentStreamProvider`. */
export function useCommands(): ChatCommands {
  return useChatStore().commands
}

/** What the current conversation's backend can do, and so what may be offered. Needs an `AgentStreamProvider`. */
export function useCapabilities(): Capabilities {
  return useChatStore().backend.capabilities
}
