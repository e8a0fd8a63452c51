import { flanking } from './flanking.js'
import { linkTail } from './linkTail.js'

/** A text made presentable, and where it begins to differ from what was written. */
export interface Repair {
  readonly text: string
  readonly from: number
}

interface Opener {
  readonly marker: string
  /** How many markers are left of the run, and how many it had. */
  count: number
  readonly size: number
  readonly at: number
  readonly canClose: boolean
}

interface Bracket {
  readonly at: number
  readonly isImage: boolean
  /** How many emphasis openers stood before it. */
  readonly outer: number
}

/** An open bracket farther back than this is taken for a plain character. */
const LONGEST_LABEL = 300
/** More open emphasis than this is noise; closing it would nest as deep. */
const MOST_OPENERS = 10

/**
 * Repairs the inline markdown of an unfinished paragraph for showing: unclosed emphasis and code get their closing markers,
 * a link shows its label only until its destination is closed, an image nothing, and characters at the very end that may turn out
 * to be markup are held back. One pass, linear in the length.
 */
export function repairInline(text: string): Repair {
  return scanInline(text).repair()
}

/**
 * Finds how much of a paragraph stands for itself: up to a space before a letter where nothing is open, so nothing behind it can pair
 * with anything before.
 *
 * @returns The index of that space, or `0`.
 */
export function settledInline(text: string): number {
  return scanInline(text).settled
}

function scanInline(text: string): { settled: number; repair(): Repair } {
  let settled = 0
  let at = 0
  /** Where what is shown ends, and what is put behind it. */
  let end = text.length
  let tail = ''
  let isCertain = true
  const hidden = new Set<number>()
  const openers: Opener[] = []
  const brackets: Bracket[] = []

  /** Matches a sticky pattern here. */
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }

  const holdBack = (pattern: RegExp): boolean => {
    if (match(pattern) === undefined) return false
    end = at
    return true
  }

  const space = (): void => {
    const isInside = /^\S \p{L}$/u.test(text.slice(at - 1, at + 2))
    if (isInside && isCertain && openers.length + brackets.length === 0) settled = at
    at++
  }

  const code = (): void => {
    const run = match(/`+/y) ?? '`'
    const start = at + run.length
    const close = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`, 'g')
    close.lastIndex = start
    if (close.test(text)) {
      at = close.lastIndex
      return
    }
    // No closing run: all the rest is code, and backticks at its end begin to close it.
    const content = text.slice(start).replace(/`+$/, '')
    const isEmpty = content.trim() === ''
    end = isEmpty ? at : start + content.length
    tail = isEmpty ? '' : run
    at = text.length
  }

  const angle = (): void => {
    const closed = match(/<[a-z!?/][^<>]*>/iy)
    if (closed !== undefined) {
      at += closed.length
    } else if (!holdBack(/<(?:[a-z][a-z0-9+.-]{0,31})?$/iy)) {
      if (match(/<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/iy) !== undefined) hidden.add(at)
      if (match(/<[a-z!?/]/iy) !== undefined) isCertain = false
      at++
    }
  }

  const openBracket = (isImage: boolean): void => {
    if (!isImage) {
      const note = match(/\[\^[^\]\s]*\](?!$)/y)
      if (note !== undefined) {
        at += note.length
        return
      }
      if (holdBack(/\[\^[^\]\s]*\]?$/y)) return
    }
    brackets.push({ at, isImage, outer: openers.length })
    at += isImage ? 2 : 1
  }

  const closeBracket = (): void => {
    const bracket = brackets.pop()
    const after = bracket === undefined ? 'none' : linkTail(text, at + 1)
    if (bracket === undefined || after === 'none') {
      at++
    } else if (after === 'open') {
      end = bracket.isImage ? bracket.at : at
      hidden.add(bracket.at)
    } else {
      // Emphasis never reaches out of a link.
      openers.length = Math.min(openers.length, bracket.outer)
      at = after
    }
  }

  const emphasis = (): void => {
    const start = at
    const run = match(/\*+|_+|~+/y) ?? ''
    const marker = run.charAt(0)
    at += run.length
    if (at === text.length) {
      // Either the beginning of a closing run or an opener without content.
      end = start
      return
    }
    if (marker === '~' && run !== '~~') return
    const before = text.slice(Math.max(0, start - 4), start)
    const { canOpen, canClose } = flanking(before, text.slice(at, at + 2), marker)
    const size = run.length
    const left = canClose ? close(marker, size, canOpen) : size
    if (!canOpen || left === 0) return
    if (openers.length > MOST_OPENERS) {
      isCertain = false
    } else {
      openers.push({ marker, count: left, size, at: start, canClose })
    }
  }

  /** Matches a closing run with what is open in the same label; returns how many of its markers are left. */
  const close = (marker: string, size: number, canOpen: boolean): number => {
    const outer = brackets.at(-1)?.outer ?? 0
    let left = size
    while (left > 0) {
      const index = openers.findLastIndex(
        (opener) => opener.marker === marker && !isThirds(opener, size, canOpen),
      )
      const opener = openers[index]
      if (opener === undefined || index < outer) break
      const used = Math.min(2, opener.count, left)
      left -= used
      opener.count -= used
      openers.length = opener.count === 0 ? index : index + 1
    }
    return left
  }

  const step = (): void => {
    switch (text[at]) {
      case '\\':
        if (!holdBack(/\\$/y)) at += 2
        break
      case '`':
        code()
        break
      case '<':
        angle()
        break
      case '&':
        if (!holdBack(/&#?\w{0,31}$/y)) at++
        break
      case '!':
        if (text[at + 1] === '[') openBracket(true)
        else if (!holdBack(/!$/y)) at++
        break
      case '[':
        openBracket(false)
        break
      case ']':
        closeBracket()
        break
      case '*':
      case '_':
      case '~':
        emphasis()
        break
      case ' ':
        space()
        break
      default:
        at++
    }
  }

  while (at < end) step()
  return {
    settled,
    repair() {
      for (const bracket of brackets) {
        if (bracket.isImage) end = Math.min(end, bracket.at)
        else if (text.length - bracket.at < LONGEST_LABEL) hidden.add(bracket.at)
      }
      let shown = without(text.slice(0, end), hidden).trimEnd()
      const open = openers.filter((opener) => opener.at < end).toReversed()
      for (const { marker, count } of open.length > MOST_OPENERS ? [] : open) {
        const run = marker.repeat(count)
        // An opener without content.
        if (tail === '' && shown.endsWith(run)) shown = shown.slice(0, -count).trimEnd()
        else tail += run
      }
      const repaired = shown + tail
      return { text: repaired, from: commonLength(repaired, text) }
    },
  }
}

/** The text without the characters at some places. */
function without(text: string, places: ReadonlySet<number>): string {
  let shown = ''
  let from = 0
  for (const place of [...places].toSorted((a, b) => a - b)) {
    shown += text.slice(from, place)
    from = place + 1
  }
  return shown + text.slice(from)
}

/** CommonMark's rule of three: a run that could do both pairs only with runs that do not add up to a multiple of three. */
function isThirds(opener: Opener, size: number, canOpen: boolean): boolean {
  return (opener.canClose || canOpen) && size % 3 !== 0 && (opener.size + size) % 3 === 0
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
