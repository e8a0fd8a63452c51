'use client'
import { createContext, useContext } from 'react'
import type { Context } from 'react'

/** Whether something is unfolded, and how to change that. */
export interface DisclosureValue {
  /** Whether the content shows. */
  readonly isOpen: boolean
  /** Folds or unfolds. */
  readonly toggle: () => void
  /** The content's id. */
  readonly contentId: string
}

/** A trigger or a content outside of its root is folded and does nothing. */
export const DisclosureState: Context<DisclosureValue> = createContext<DisclosureValue>({
  isOpen: false,
  toggle: () => undefined,
  contentId: '',
})

/** The state of the nearest root. */
export function useDisclosure(): DisclosureValue {
  return useContext(DisclosureState)
}
