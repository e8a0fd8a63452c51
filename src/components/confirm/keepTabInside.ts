const tabbable = [
  ...['a[href]', 'button', 'input', 'select', 'textarea', 'summary', 'audio[controls]'],
  ...['video[controls]', '[tabindex]', '[contenteditable]'],
].join(',')

/**
 * Sends the focus from the last element of a dialog to its first, and back. A modal `<dialog>` alone lets it go on to the browser's own
 * controls.
 *
 * @param dialog - The dialog.
 * @param isBackwards - Whether Shift is held.
 * @returns Whether the focus was moved, so that the key must do nothing more.
 */
export function keepTabInside(dialog: HTMLElement, isBackwards: boolean): boolean {
  const stops = Array.from(dialog.querySelectorAll<HTMLElement>(tabbable)).filter(
    (element) => element.tabIndex >= 0 && !element.hasAttribute('disabled') && isVisible(element),
  )
  const first = stops[0]
  const last = stops.at(-1)
  const focused = dialog.ownerDocument.activeElement
  if (first === undefined || last === undefined) return true
  const isInside = focused !== null && focused !== dialog && dialog.contains(focused)
  if (isBackwards) {
    // From the title, which takes no part in the order, Shift+Tab would leave at the top.
    const isAtStart = !isInside || focused === first || isBefore(focused, first)
    if (isAtStart) last.focus()
    return isAtStart
  }
  if (isInside && focused !== last) return false
  first.focus()
  return true
}

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}
