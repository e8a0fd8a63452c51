import { getTextContent, type Msg } from '../../protocol/index.js'

/** The text of messages, for backends that take nothing else. */
export function encodeText(messages: readonly Msg[]): string {
  return messages.map((message) => getTextContent(message) ?? '').join('\n')
}
