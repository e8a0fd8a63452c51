'use client'
import type { RefObject } from 'react'
import { useClientLayoutEffect } from '../part/useClientLayoutEffect.js'

/** Where focus may go when the element that had it is taken away, best first. */
const successors = ['[data-as-part="confirm-card-title"]', '[data-as-part="composer-input"]']

/**
 * When an element goes away with the focus in it, hands the focus to the next question, else to the composer, so that a person at the
 * keyboard is not thrown back to the start of the page. A person who uses a pointer is left alone: focus would open a keyboard on a phone.
 *
 * @param ref - The element.
 */
export function useFocusKeeper(ref: RefObject<HTMLElement | null>): void {
  useClientLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    return () => {
      const focused = element.ownerDocument.activeElement
      if (focused === null || !element.contains(focused) || !focused.matches(':focus-visible'))
        return
      const scope = element.closest('dialog') ?? element.closest('.as-root')
      const candidates = successors.flatMap((selector) =>
        Array.from(scope?.querySelectorAll<HTMLElement>(selector) ?? []),
      )
      candidates.find((candidate) => !element.contains(candidate))?.focus()
    }
  }, [ref])
}
