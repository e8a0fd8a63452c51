const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const CANONICAL = /^[A-Za-z0-9+/]*={0,2}$/
/** What more text can make whole; the padding may be cut, too. */
const BEGINNING =
  /^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{0,3}$|^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}=$/
const NOT_BASE64 = /[^A-Za-z0-9+/=]/g
/** Stays under the number of arguments that every engine accepts. */
const CHARACTERS_PER_CALL = 8192

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
  return join('', isWhole(text) ? text : readLoosely(text))
}

/**
 * Adds a chunk's bytes to the end.
 *
 * A chunk is base64 with its own padding, as AgentScope sends it. Chunks that are one long base64 text cut anywhere (no
 * padding before the last, lengths that are no multiple of four) are joined as text.
 *
 * @param text - What is there.
 * @param chunk - The new piece; what does not belong is dropped, as Python's decoder does.
 * @returns The longer text, the same object for an empty chunk, or undefined for a chunk that is no base64.
 */
export function appendBase64(text: Base64Text, chunk: string): Base64Text | undefined {
  if (text.tail === '' && isWhole(chunk)) return chunk === '' ? text : join(text.head, chunk)
  const isCut = text.tail.length % 4 !== 0
  if (isCut) {
    const joined = text.tail + chunk.replace(NOT_BASE64, '')
    if (isWhole(joined) || BEGINNING.test(joined)) return join(text.head, joined)
  }
  const clean = isWhole(chunk) ? chunk : readLoosely(chunk)
  if (clean === '') return text
  if (text.tail !== '' && !isCut) return isWhole(clean) ? appendBytes(text, clean) : undefined
  // After the beginning of a group a padded chunk stands alone, so the beginning was no base64.
  return isCut && !isWhole(clean) ? undefined : join(text.head, clean)
}

/**
 * Ends a text that was cut: the bytes that are whole stay.
 *
 * @param text - Base64 whose length may be no multiple of four.
 * @returns Base64 with right padding; the same text when it was right.
 */
export function closeBase64(text: string): string {
  const rest = text.length % 4
  if (rest === 0) return text
  const whole = text.slice(0, text.length - rest)
  return rest === 1 ? whole : whole + padGroup(text.slice(-rest).replaceAll('=', ''))
}

function isWhole(text: string): boolean {
  return text.length % 4 === 0 && CANONICAL.test(text)
}

/** Python's reading of text with other characters in it: they are dropped, and nothing counts after a finished padding. */
function readLoosely(text: string): string {
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
  const isPadded = added.endsWith('=') && added.length % 4 === 0
  const settled = isPadded ? added.length - 4 : added.length - (added.length % 4)
  const rest = added.slice(settled)
  return {
    head: head + added.slice(0, settled),
    tail: isPadded ? padGroup(rest.replaceAll('=', '')) : rest,
  }
}

/** Bits of a last group that belong to no byte become zero, as they are when bytes are encoded. */
function padGroup(sextets: string): string {
  const last = ALPHABET.indexOf(sextets.charAt(sextets.length - 1))
  const mask = sextets.length === 2 ? 0b110000 : 0b111100
  return (sextets.slice(0, -1) + ALPHABET.charAt(last & mask)).padEnd(4, '=')
}

/** The text ends in a padded group, so all bytes of the chunk shift: each of its characters is coded anew. */
function appendBytes({ head, tail }: Base64Text, chunk: string): Base64Text {
  const held = tail.replaceAll('=', '')
  const free = held.length === 2 ? 4 : 2
  const padding = chunk.endsWith('==') ? 2 : chunk.endsWith('=') ? 1 : 0
  const codes = new Uint8Array(chunk.length - padding + 1)
  let open = ALPHABET.indexOf(held.charAt(held.length - 1))
  for (let index = 0; index < codes.length - 1; index++) {
    const sextet = SEXTETS[chunk.charCodeAt(index)] ?? 0
    codes[index] = CODES[open | (sextet >> (6 - free))] ?? 0
    open = (sextet << free) & 0b111111
  }
  codes[codes.length - 1] = CODES[open] ?? 0
  const bytes = held.length - 1 + (chunk.length / 4) * 3 - padding
  const all = held.slice(0, -1) + textOf(codes)
  const settled = Math.floor(bytes / 3) * 4
  const rest = bytes % 3
  return {
    head: head + all.slice(0, settled),
    tail: rest === 0 ? '' : padGroup(all.slice(settled, settled + rest + 1)),
  }
}

const CODES: Uint8Array = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0))
const SEXTETS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))),
)

function textOf(codes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < codes.length; start += CHARACTERS_PER_CALL) {
    const part = codes.subarray(start, start + CHARACTERS_PER_CALL)
    // Spreading a typed array walks an iterator, which takes ten times as long.
    text += String(Reflect.apply(String.fromCharCode, undefined, part))
  }
  return text
}
