'use client'
import { createContext } from 'react'
import type { Context } from 'react'
import type { ChatStore } from '../store/index.js'
import type { ChatRegistry } from './createChatRegistry.js'

/** What a provider gives to what is below it. */
export interface ChatContextValue {
  /** The stores of the outermost provider. */
  readonly registry: ChatRegistry
  /** The current conversation; null when the provider was given no backend. */
  readonly store: ChatStore | null
}

/** Null where no provider is above. */
export const ChatContext: Context<ChatContextValue | null> = createContext<ChatContextValue | null>(
  null,
)
