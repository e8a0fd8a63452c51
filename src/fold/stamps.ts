import type { BlockStamps, Msg } from '../protocol/index.js'

/**
 * Tells whether a stamp is later than another. Stamps of one server compare as text.
 *
 * @param stamp - A stamp; null is never later.
 * @param other - What it is compared with; anything is later than null.
 */
export function isLater(stamp: string | null | undefined, other: string | null): boolean {
  if (stamp === null || stamp === undefined) return false
  return other === null || stamp > other
}

/**
 * The latest stamp in a message: what happened up to then is in it.
 *
 * @param message - The message. Its own creation counts, so there always is one.
 */
export function lastStampOf(message: Msg): string {
  let last = message.created_at
  const note = ({ created_at, finished_at }: BlockStamps): void => {
    if (isLater(created_at, last)) last = created_at ?? last
    if (isLater(finished_at, last)) last = finished_at ?? last
  }
  note({ finished_at: message.finished_at })
  for (const block of message.content) {
    note(block)
    if (block.type === 'tool_result' && typeof block.output !== 'string') block.output.forEach(note)
  }
  return last
}
