/** Fractions of a pixel and rounding of zoomed pages. */
const END_TOLERANCE_PX = 4
/** A finger that moves less is a tap. */
const TOUCH_TOLERANCE_PX = 4
/** How far below the top edge the line is looked for that must not move. */
const ANCHOR_INSET_PX = 24

/** Keeps a scroller at its end for as long as the reader wants that. */
export interface TailFollower {
  /** Goes to the end and follows it. */
  follow(): void
  /** Stops listening. */
  stop(): void
}

interface Anchor {
  readonly element: Element
  readonly top: number
}

/**
 * Follows the end of growing content. What lets go is the reader's own doing: the wheel, a finger, a key, the scroll bar, find-in-page,
 * a selection. Content that grows or shrinks never does. Scrolled down to the end again, it follows again. While the reader is
 * elsewhere, the line at the top edge stays where it is, whatever happens above it.
 *
 * @param scroller - The element that scrolls.
 * @param content - What it holds.
 * @param onChange - Told whether the end is followed, when that changes.
 */
export function createTailFollower(
  scroller: HTMLElement,
  content: HTMLElement,
  onChange: (isFollowing: boolean) => void,
): TailFollower {
  const page = scroller.ownerDocument
  let isFollowing = true
  let isHeld = false
  let last = measure(scroller)
  let anchor: Anchor | null = null
  let touchY = 0

  function setFollowing(next: boolean): void {
    if (next === isFollowing) return
    isFollowing = next
    anchor = next ? null : findAnchor(scroller, content)
    onChange(next)
  }

  function release(): void {
    if (scroller.scrollTop > 0) setFollowing(false)
  }

  function settle(): void {
    if (isFollowing && isSelecting(page, content)) release()
    if (isFollowing && !isHeld) scroller.scrollTop = scroller.scrollHeight
    else if (!isFollowing) keep(scroller, anchor)
    last = measure(scroller)
    if (!isFollowing && last.height <= last.room) setFollowing(true)
  }

  function onScroll(): void {
    const now = measure(scroller)
    const isSameLayout = now.height === last.height && now.room === last.room
    const isUp = now.top < last.top - 1
    const isDown = now.top > last.top
    if (isFollowing && isUp && isSameLayout) release()
    else if (!isFollowing && isDown && isAtEnd(now)) setFollowing(true)
    if (!isFollowing) anchor = findAnchor(scroller, content)
    last = now
  }

  function onWheel(event: WheelEvent): void {
    if (event.deltaY < 0 && !event.ctrlKey) release()
  }
  function onTouchStart(event: TouchEvent): void {
    touchY = event.touches[0]?.clientY ?? 0
  }
  function onTouchMove(event: TouchEvent): void {
    const y = event.touches[0]?.clientY ?? touchY
    if (y > touchY + TOUCH_TOLERANCE_PX) release()
  }
  function onKeyDown(event: KeyboardEvent): void {
    const isUp = ['PageUp', 'ArrowUp', 'Home'].includes(event.key)
    const isShiftSpace = event.key === ' ' && event.shiftKey && event.target === scroller
    if (isUp || isShiftSpace) release()
  }
  function onPointerDown(event: PointerEvent): void {
    // Only the scroll bar is the scroller itself; a press there holds the position until it is let go.
    isHeld = event.target === scroller
  }
  function onPointerUp(): void {
    if (!isHeld) return
    isHeld = false
    if (isAtEnd(measure(scroller))) settle()
    else release()
  }

  const sizes = new ResizeObserver(settle)
  sizes.observe(scroller)
  sizes.observe(content)
  const listening = new AbortController()
  const passive = { passive: true, signal: listening.signal }
  scroller.addEventListener('scroll', onScroll, passive)
  scroller.addEventListener('wheel', onWheel, passive)
  scroller.addEventListener('touchstart', onTouchStart, passive)
  scroller.addEventListener('touchmove', onTouchMove, passive)
  scroller.addEventListener('keydown', onKeyDown, passive)
  scroller.addEventListener('pointerdown', onPointerDown, passive)
  page.addEventListener('pointerup', onPointerUp, passive)
  page.addEventListener('pointercancel', onPointerUp, passive)
  settle()

  return {
    follow() {
      page.getSelection()?.removeAllRanges()
      setFollowing(true)
      settle()
    },
    stop() {
      sizes.disconnect()
      listening.abort()
    },
  }
}

interface Measures {
  readonly top: number
  readonly height: number
  readonly room: number
}

function measure(scroller: HTMLElement): Measures {
  return { top: scroller.scrollTop, height: scroller.scrollHeight, room: scroller.clientHeight }
}

function isAtEnd({ top, height, room }: Measures): boolean {
  return height - top - room <= END_TOLERANCE_PX
}

function isSelecting(page: Document, content: HTMLElement): boolean {
  const selection = page.getSelection()
  if (selection === null || selection.isCollapsed || selection.anchorNode === null) return false
  return content.contains(selection.anchorNode)
}

/** The piece at the top edge: a paragraph, a row, a picture. */
function findAnchor(scroller: HTMLElement, content: HTMLElement): Anchor | null {
  const box = scroller.getBoundingClientRect()
  const element = scroller.ownerDocument.elementFromPoint?.(
    box.left + box.width / 2,
    box.top + ANCHOR_INSET_PX,
  )
  if (element == null || element === content || !content.contains(element)) {
    return firstVisible(content, box.top)
  }
  return { element, top: element.getBoundingClientRect().top }
}

/** Between two messages the point above hits nothing: then the next message counts. */
function firstVisible(content: HTMLElement, edge: number): Anchor | null {
  for (const element of content.children) {
    const { top, bottom } = element.getBoundingClientRect()
    if (bottom > edge) return { element, top }
  }
  return null
}

/** Browsers that anchor scrolling by themselves leave nothing to do here, except at the very top, where none does. */
function keep(scroller: HTMLElement, anchor: Anchor | null): void {
  if (anchor === null || !anchor.element.isConnected) return
  const moved = anchor.element.getBoundingClientRect().top - anchor.top
  if (Math.abs(moved) >= 1) scroller.scrollTop += moved
}
