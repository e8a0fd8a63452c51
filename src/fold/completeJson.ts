/** A container that is open, and what may come next in it. */
interface Frame {
  readonly closer: '}' | ']'
  next: 'key' | 'colon' | 'value' | 'comma'
}

const WHITESPACE = /\s/
const LITERAL = /[-+.\w]/
const WHOLE_LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/

/**
 * Makes whole JSON of the beginning of one: cuts what is half written (a key without its value, half an escape, `tru`)
 * and closes what is open. As the text grows, what is read of it only grows.
 *
 * @param text - The beginning of a JSON text.
 * @returns JSON, or null when nothing of it can be read.
 */
export function completeJson(text: string): string | null {
  const frames: Frame[] = []
  // Where the text can be cut and closed. Whatever opens or closes a container moves it, so the open ones always fit it.
  let safeEnd: number | null = null
  let index = 0

  function completeValue(end: number): void {
    const frame = frames.at(-1)
    if (frame !== undefined) frame.next = 'comma'
    safeEnd = end
  }

  while (index < text.length) {
    const char = text.charAt(index)
    const frame = frames.at(-1)
    if (WHITESPACE.test(char)) index += 1
    else if (char === '"') {
      const end = endOfString(text, index)
      const isKey = frame?.next === 'key'
      if (end === null) {
        return isKey
          ? cut(text, safeEnd, frames)
          : `${text.slice(0, lastWholeCharacter(text, index))}"${closersOf(frames)}`
      }
      index = end
      if (isKey) frame.next = 'colon'
      else completeValue(end)
    } else if (char === '{' || char === '[') {
      frames.push(char === '{' ? { closer: '}', next: 'key' } : { closer: ']', next: 'value' })
      index += 1
      safeEnd = index
    } else if (char === '}' || char === ']') {
      if (frame?.closer !== char) return cut(text, safeEnd, frames)
      frames.pop()
      index += 1
      completeValue(index)
    } else if (char === ',' && frame !== undefined) {
      frame.next = frame.closer === '}' ? 'key' : 'value'
      index += 1
    } else if (char === ':' && frame?.next === 'colon') {
      frame.next = 'value'
      index += 1
    } else {
      const end = endOfLiteral(text, index)
      if (!WHOLE_LITERAL.test(text.slice(index, end))) return cut(text, safeEnd, frames)
      index = end
      completeValue(end)
    }
  }
  return cut(text, safeEnd, frames)
}

function cut(text: string, safeEnd: number | null, frames: readonly Frame[]): string | null {
  return safeEnd === null ? null : text.slice(0, safeEnd) + closersOf(frames)
}

function closersOf(frames: readonly Frame[]): string {
  return frames.map(({ closer }) => closer).reduceRight((text, closer) => text + closer, '')
}

/** The index behind the closing quote, or null when there is none. */
function endOfString(text: string, start: number): number | null {
  for (let index = start + 1; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '\\') index += 1
    else if (char === '"') return index + 1
  }
  return null
}

/** Where an open string can be cut: before half an escape, and before half a surrogate pair. */
function lastWholeCharacter(text: string, start: number): number {
  let end = start + 1
  while (end < text.length) {
    const length = characterLength(text, end)
    if (end + length > text.length) break
    end += length
  }
  return end
}

function characterLength(text: string, index: number): number {
  if (text.charAt(index) !== '\\') return 1
  if (text.charAt(index + 1) !== 'u') return 2
  // An escaped surrogate pair is one character of twelve.
  return /^d[89ab]/i.test(text.slice(index + 2, index + 4)) ? 12 : 6
}

function endOfLiteral(text: string, start: number): number {
  let end = start
  while (end < text.length && LITERAL.test(text.charAt(end))) end += 1
  return Math.max(end, start + 1)
}
