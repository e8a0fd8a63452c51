'use client'
import { createContext } from 'react'
import type { Context, ReactNode } from 'react'

/** Draws what sub-agents said that a call of this message started; null = those whose call is not known. */
export type DrawNested = (toolCallId: string | null) => ReactNode

/** Sub-agents of the message that is drawn; null where there are none. */
export const NestedReplies: Context<DrawNested | null> = createContext<DrawNested | null>(null)
