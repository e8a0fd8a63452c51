'use client'
import { createContext } from 'react'
import type { Context } from 'react'
import type { Msg } from '../../protocol/index.js'

/** Takes a message back into the field, to be written anew. */
export type TakeBack = (message: Msg) => void

/** Where the field says that it takes messages back, and messages find it. */
export interface TakeBackPlace {
  /** The field's way; null while there is no field. */
  readonly takeBack: TakeBack | null
  /** For the field. */
  readonly offer: (takeBack: TakeBack | null) => void
}

/** Null without a `ChatRoot`. */
export const TakeBackContext: Context<TakeBackPlace | null> = createContext<TakeBackPlace | null>(
  null,
)
