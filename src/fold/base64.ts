const WHOLE = /^[A-Za-z0-9+/]*={0,2}$/
const NOT_BASE64 = /[^A-Za-z0-9+/=]/g
const NOT_ASCII = /\P{ASCII}/u
/** Whole groups, and then the beginning of one, of which the padding may be cut, too. */
const BEGINNING = /^(?:[^=]{4})*(?:[^=]{0,3}|[^=]{2}==?|[^=]{3}=)$/

/**
 * Base64 that grows: the whole text is `head + tail`. Kept apart so that appending costs as much as the new chunk,
 * not as much as all bytes so far.
 */
export interface Base64Text {
  /** Whole groups of four without padding. */
  readonly head: string
  /** What may still change: nothing, a last padded group, or the beginning of a group (of a text that was cut anywhere). */
  readonly tail: string
}

/**
 * Splits base64 text into the part that is settled and its end.
 *
 * @param text - Base64; what does not belong is dropped.
 */
export function splitBase64(text: string): Base64Text {
  return join('', readLoosely(text))
}

/**
 * Adds a chunk's bytes to the end.
 *
 * A chunk is base64 with its own padding, as AgentScope sends it. Chunks that are one long base64 text cut anywhere (no
 * padding before the last, lengths that are no multiple of four) are joined as text.
 *
 * @param text - What is there.
 * @param chunk - The new piece; what does not belong is dropped, as Python's decoder does, if it is ASCII.
 * @returns The longer text, the same object for an empty chunk, or undefined for a chunk that is no base64.
 */
export function appendBase64(text: Base64Text, chunk: string): Base64Text | undefined {
  if (NOT_ASCII.test(chunk)) return undefined
  const { head, tail } = text
  const isCut = tail.length % 4 !== 0
  if (isCut) {
    const joined = tail + chunk.replace(NOT_BASE64, '')
    if (BEGINNING.test(joined)) return join(head, joined)
  }
  const clean = readLoosely(chunk)
  if (clean === '') return text
  if (tail === '') return join(head, clean)
  if (!isWhole(clean)) return undefined
  // After a padded group all bytes shift. After the beginning of a group a whole chunk stands alone: that was no base64.
  return join(head, isCut ? clean : btoa(atob(tail) + atob(clean)))
}

/**
 * Ends a text that was cut: the bytes that are whole stay.
 *
 * @param text - Base64 whose length may be no multiple of four.
 * @returns Base64 with right padding; the same text when it was right.
 */
export function closeBase64(text: string): string {
  if (text.length % 4 === 0) return text
  const { head, tail } = splitBase64(text)
  return tail.length === 1 ? head : head + encodeAnew(tail)
}

function isWhole(text: string): boolean {
  return text.length % 4 === 0 && WHOLE.test(text)
}

/** Python's reading of text with other characters in it: they are dropped, and nothing counts after a finished padding. */
function readLoosely(text: string): string {
  if (isWhole(text)) return text
  let clean = ''
  let padding = 0
  for (const character of text.replace(NOT_BASE64, '')) {
    if (character !== '=') {
      clean += character
      padding = 0
    } else if (clean.length % 4 >= 2) {
      padding += 1
      if ((clean.length % 4) + padding === 4) return clean + '='.repeat(padding)
    }
  }
  return clean
}

function join(head: string, added: string): Base64Text {
  const rest = added.length % 4
  const isPadded = rest === 0 && added.endsWith('=')
  const settled = added.length - (isPadded ? 4 : rest)
  const tail = added.slice(settled)
  return { head: head + added.slice(0, settled), tail: isPadded ? encodeAnew(tail) : tail }
}

/** A last group gets its padding, and bits of it that belong to no byte become zero. */
function encodeAnew(group: string): string {
  return btoa(atob(group))
}
