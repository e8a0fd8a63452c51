import type { Msg } from '../../protocol/index.js'
import type { Cue } from './AgentScript.js'

/**
 * What a reply is made for.
 *
 * @param messages - What was just said; empty lets the agent go on.
 * @param stored - All stored messages.
 */
export function cueOf(messages: readonly Msg[], stored: readonly Msg[]): Cue {
  const texts = (messages.at(-1)?.content ?? []).map((block) =>
    block.type === 'text' ? block.text : '',
  )
  return { text: texts.join('\n').trim(), isContinue: messages.length === 0, messages: stored }
}

/** The title that the service gives to a session that begins with this message. */
export function titleOf(message: Msg): string {
  const block = message.content.find((piece) => piece.type === 'text')
  const [line = ''] = (block?.text ?? '').trim().split('\n')
  return line.length > 48 ? `${line.slice(0, 47).trimEnd()}…` : line || 'New conversation'
}
