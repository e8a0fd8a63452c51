'use client'
import { createContext, useContext } from 'react'
import type { Context } from 'react'
import { en } from '../../i18n/index.js'
import type { Words } from '../../i18n/index.js'
import { defaultUrlPolicy } from '../../policy/index.js'
import type { UrlPolicy } from '../../policy/index.js'
import type { ChatSlots } from './ChatSlots.js'

/** What all components below one root have in common. */
export interface ChatUiValue {
  /** The words they show. */
  readonly words: Words
  /** What content may open or load. */
  readonly urlPolicy: UrlPolicy
  /** An app's own pieces in place of the kit's. */
  readonly slots: ChatSlots
}

/** Without a root: English, the default policy, the kit's own pieces. */
export const ChatUi: Context<ChatUiValue> = createContext<ChatUiValue>({
  words: en,
  urlPolicy: defaultUrlPolicy,
  slots: {},
})

/** Words, policy and slots of the nearest `ChatRoot`; English and the defaults without one. Safe on a server. */
export function useChatUi(): ChatUiValue {
  return useContext(ChatUi)
}
