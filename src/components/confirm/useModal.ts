'use client'
import { useEffect } from 'react'
import type { RefObject } from 'react'

/**
 * Shows a `<dialog>` as a modal, with the focus on its title. Closed, it gives the focus back to where it was, or to the composer when
 * that element is gone.
 *
 * @param ref - The dialog.
 * @param isShown - Whether it shows.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, isShown: boolean): void {
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || !isShown) return undefined
    const opener = dialog.ownerDocument.activeElement
    // Where there is no top layer, such as in a test's DOM, it still opens.
    if (typeof dialog.showModal === 'function') dialog.showModal()
    else dialog.setAttribute('open', '')
    dialog.querySelector<HTMLElement>('[tabindex="-1"]')?.focus()
    return () => {
      if (typeof dialog.close === 'function') dialog.close()
      else dialog.removeAttribute('open')
      returnFocus(dialog, opener)
    }
  }, [ref, isShown])
}

function returnFocus(dialog: HTMLElement, opener: Element | null): void {
  const isThere = opener?.isConnected === true && opener !== dialog.ownerDocument.body
  const fallback = dialog
    .closest('.as-root')
    ?.querySelector<HTMLElement>('[data-as-part="composer-input"]')
  const target = isThere && opener instanceof HTMLElement ? opener : fallback
  target?.focus()
}
