import { stripReminder } from '../../hooks/index.js'
import type { DataBlock, ToolResultBlock } from '../../protocol/index.js'
import { stripAnsi } from './stripAnsi.js'

/** A tool's result, for the eye and for the clipboard. */
export interface ToolOutput {
  /** Its text: without colour codes, and without the wrapper of a reminder. */
  readonly text: string
  /** Its images, sounds, films and files, in order. */
  readonly media: readonly DataBlock[]
}

/**
 * Takes a tool's result apart.
 *
 * @param result - The result; null when there is none yet.
 */
export function readOutput(result: ToolResultBlock | null): ToolOutput {
  if (result === null) return { text: '', media: [] }
  const { output } = result
  if (typeof output === 'string') return { text: clean(output), media: [] }
  const texts = output.flatMap((piece) => (piece.type === 'text' ? [clean(piece.text)] : []))
  return {
    text: texts.join('\n'),
    media: output.filter((piece) => piece.type === 'data'),
  }
}

function clean(text: string): string {
  return stripAnsi(stripReminder(text).text)
}
