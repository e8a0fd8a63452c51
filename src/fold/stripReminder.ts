const OPENING = '<system-reminder>'
const CLOSING = '</system-reminder>'
const TAGS = /<\/?system-reminder>/g

/** Text without the wrapper that is meant for the model. */
export interface StrippedText {
  /** What a person may read. */
  readonly text: string
  /** Whether there was a wrapper. */
  readonly isReminder: boolean
}

/**
 * Takes `<system-reminder>` wrappers off a hint or the result of a denied call; also a tag that is still arriving.
 *
 * @param text - The text as it came.
 */
export function stripReminder(text: string): StrippedText {
  const start = text.trimStart()
  if (start !== '' && start !== OPENING.charAt(0) && OPENING.startsWith(start)) {
    return { text: '', isReminder: true }
  }
  if (!text.includes(OPENING)) return { text, isReminder: false }
  return { text: withoutHalfTag(text).replaceAll(TAGS, '').trim(), isReminder: true }
}

function withoutHalfTag(text: string): string {
  const position = text.lastIndexOf('<')
  const tail = position < 0 ? '' : text.slice(position)
  return tail !== '' && tail !== CLOSING && CLOSING.startsWith(tail)
    ? text.slice(0, position)
    : text
}
