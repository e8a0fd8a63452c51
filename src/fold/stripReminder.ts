const OPENING = '<system-reminder>'
const CLOSING = '</system-reminder>'
const TAGS = /<\/?system-reminder>/g
/** What tells the agent that something in the background is done. It comes whole. */
const NOTIFICATION = /^\s*<system-notification>([^]*)<\/system-notification>\s*$/

/** Text without the wrapper that is meant for the model. */
export interface StrippedText {
  /** What a person may read. */
  readonly text: string
  /** Whether there was a wrapper. */
  readonly isReminder: boolean
}

/**
 * Takes `<system-reminder>` wrappers off a hint or the result of a denied call, also a tag that is still arriving; and the one
 * `<system-notification>` around a whole hint, which is no reminder.
 *
 * @param whole - The text as it came.
 * @returns What a person may read, and whether a reminder was around it.
 */
export function stripReminder(whole: string): StrippedText {
  const text = whole.replace(NOTIFICATION, '$1')
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
