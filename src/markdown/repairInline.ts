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
  const scan = new InlineScan(text)
  scan.run()
  return scan.finish()
}

/**
 * Finds how much of a paragraph stands for itself: up to a space before a letter where nothing is open, so nothing behind it can pair
 * with anything before.
 *
 * @returns The index of that space, or `0`.
 */
export function settledInline(text: string): number {
  const scan = new InlineScan(text)
  scan.run()
  return scan.settled
}

class InlineScan {
  settled = 0
  private readonly text: string
  private at = 0
  private end: number
  private tail = ''
  private isCertain = true
  private readonly hidden: [start: number, end: number][] = []
  private readonly openers: Opener[] = []
  private readonly brackets: Bracket[] = []

  constructor(text: string) {
    this.text = text
    this.end = text.length
  }

  run(): void {
    while (this.at < this.end) {
      switch (this.text[this.at]) {
        case '\\':
          this.escape()
          break
        case '`':
          this.code()
          break
        case '<':
          this.angle()
          break
        case '&':
          if (!this.holdBack(/&#?\w{0,31}$/y)) this.at++
          break
        case '!':
          this.exclamation()
          break
        case '[':
          this.openBracket(this.at, false)
          break
        case ']':
          this.closeBracket()
          break
        case '*':
        case '_':
        case '~':
          this.emphasis()
          break
        case ' ':
          this.space()
          break
        default:
          this.at++
      }
    }
  }

  finish(): Repair {
    for (const { at, isImage } of this.brackets) {
      if (isImage) {
        this.end = Math.min(this.end, at)
      } else if (this.text.length - at < LONGEST_LABEL) {
        this.hidden.push([at, at + 1])
      }
    }
    const openers = this.openers.filter(({ at }) => at < this.end)
    let shown = this.visible()
    let closing = this.tail
    if (openers.length <= MOST_OPENERS) {
      for (const { marker, count } of openers.toReversed()) {
        const run = marker.repeat(count)
        if (closing === '' && shown.endsWith(run)) {
          shown = shown.slice(0, -count).trimEnd()
        } else {
          closing += run
        }
      }
    }
    const repaired = shown + closing
    return { text: repaired, from: commonLength(repaired, this.text) }
  }

  private visible(): string {
    const parts: string[] = []
    let from = 0
    for (const [start, end] of this.hidden.toSorted((a, b) => a[0] - b[0])) {
      if (start >= this.end) break
      parts.push(this.text.slice(from, start))
      from = end
    }
    parts.push(this.text.slice(from, this.end))
    return parts.join('').trimEnd()
  }

  /** Matches a sticky pattern here. */
  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0]
  }

  private holdBack(pattern: RegExp): boolean {
    if (this.match(pattern) === undefined) return false
    this.end = this.at
    return true
  }

  private space(): void {
    const { at, text } = this
    const isInside = /^\S \p{L}$/u.test(text.slice(at - 1, at + 2))
    const isOpen = this.openers.length + this.brackets.length > 0
    if (isInside && !isOpen && this.isCertain) this.settled = at
    this.at++
  }

  private escape(): void {
    if (this.at + 1 === this.text.length) this.end = this.at
    this.at += 2
  }

  private code(): void {
    const run = this.match(/`+/y) ?? '`'
    const start = this.at + run.length
    let close = this.text.indexOf(run, start)
    while (close !== -1) {
      let end = close + run.length
      while (this.text[end] === '`') end++
      if (end - close === run.length) {
        this.at = end
        return
      }
      close = this.text.indexOf(run, end)
    }
    // No closing run: all the rest is code, and backticks at its end begin to close it.
    const content = this.text.slice(start).replace(/`+$/, '')
    this.end = content.trim() === '' ? this.at : start + content.length
    this.tail = content.trim() === '' ? '' : run
    this.at = this.text.length
  }

  private angle(): void {
    const closed = this.match(/<[a-z!?/][^<>]*>/iy)
    if (closed !== undefined) {
      this.at += closed.length
    } else if (!this.holdBack(/<(?:[a-z][a-z0-9+.-]{0,31})?$/iy)) {
      if (this.match(/<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/iy) !== undefined) {
        this.hidden.push([this.at, this.at + 1])
      }
      if (/[a-z!?/]/i.test(this.text[this.at + 1] ?? '')) this.isCertain = false
      this.at++
    }
  }

  private exclamation(): void {
    if (this.text[this.at + 1] === '[') {
      this.openBracket(this.at, true)
    } else if (!this.holdBack(/!$/y)) {
      this.at++
    }
  }

  private openBracket(at: number, isImage: boolean): void {
    if (!isImage) {
      const note = this.match(/\[\^[^\]\s]*\]/y)
      if (note !== undefined && at + note.length < this.text.length) {
        this.at += note.length
        return
      }
      if (this.holdBack(/\[\^[^\]\s]*\]?$/y)) return
    }
    this.brackets.push({ at, isImage, outer: this.openers.length })
    this.at = at + (isImage ? 2 : 1)
  }

  private closeBracket(): void {
    const bracket = this.brackets.pop()
    const next = this.at + 1
    if (bracket === undefined) {
      this.at = next
      return
    }
    const after = linkTail(this.text, next)
    if (after === 'open') {
      this.end = bracket.isImage ? bracket.at : this.at
      this.hidden.push([bracket.at, bracket.at + 1])
    } else if (after === 'none') {
      this.at = next
    } else {
      // Emphasis never reaches out of a link.
      this.openers.length = Math.min(this.openers.length, bracket.outer)
      this.at = after
    }
  }

  private emphasis(): void {
    const { at, text } = this
    const marker = text[at] ?? ''
    let end = at
    while (text[end] === marker) end++
    const size = end - at
    this.at = end
    if (end === text.length) {
      // Either the beginning of a closing run or an opener without content.
      this.end = at
      return
    }
    if (marker === '~' && size !== 2) return
    const { canOpen, canClose } = flanking(
      text.slice(Math.max(0, at - 4), at),
      text.slice(end, end + 2),
      marker,
    )
    const left = canClose ? this.close(marker, size, canOpen) : size
    if (!canOpen || left === 0) return
    if (this.openers.length > MOST_OPENERS) {
      this.isCertain = false
    } else {
      this.openers.push({ marker, count: left, size, at, canClose })
    }
  }

  /** Matches a closing run with what is open in the same label; returns how many of its markers are left. */
  private close(marker: string, size: number, canOpen: boolean): number {
    const outer = this.brackets.at(-1)?.outer ?? 0
    let left = size
    while (left > 0) {
      const index = this.openers.findLastIndex(
        (opener) => opener.marker === marker && !isThirds(opener, size, canOpen),
      )
      const opener = this.openers[index]
      if (opener === undefined || index < outer) break
      const used = Math.min(2, opener.count, left)
      left -= used
      opener.count -= used
      this.openers.length = opener.count === 0 ? index : index + 1
    }
    return left
  }
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
