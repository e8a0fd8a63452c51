import {
  type Answer,
  type Dialect,
  getTextContent,
  type JsonValue,
  type ToolResultBlock,
  TransportError,
  type UserInput,
} from '../../protocol/index.js'
import { createTaskApiDecoder } from './createTaskApiDecoder.js'
import { pickFields } from './readField.js'

/**
 * The Task API: an agent's work is a task, and `GET …/tasks/{id}?from=N` brings its events. A frame is the whole body of one
 * poll, wrapped in `data` or not; also the body that answers the creation of a task may be one. Pages may overlap, and tasks may
 * follow each other in one decoder.
 *
 * A turn is one reply, whatever model calls it has. A task that is over ends its reply when a page without events came, or by
 * `end`, so that the last words are not missed. `cursor()` is the `next_offset` to poll from.
 *
 * Answers become lists with one part for each call: `approval_id` and `tool_call_id` say where to, the rest is the body.
 *
 * @example
 * ```ts
 * const decoder = taskApiDialect.createDecoder({ sessionId: conversationId })
 * const { inputs } = decoder.push(await response.json())
 * ```
 */
export const taskApiDialect: Dialect = {
  name: 'task-api',
  createDecoder: createTaskApiDecoder,
  encode: { send: encodeSend, answer: encodeAnswer },
}

function encodeSend(input: UserInput): JsonValue {
  if (input === null) {
    throw new TransportError(
      'rejected',
      'A task needs a message, so there is no going on without one.',
    )
  }
  const images = input.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type !== 'data' || block.source.type !== 'url') return []
      const { url, media_type } = block.source
      return media_type.startsWith('image/') ? [url.replace(/^file:/, '')] : []
    }),
  )
  const message = input.map((each) => getTextContent(each) ?? '').join('\n')
  return { message, ...(images.length === 0 ? {} : { images }) }
}

function encodeAnswer(answer: Answer): JsonValue {
  switch (answer.kind) {
    case 'confirm':
      return answer.results.map((result) => {
        const { id: tool_call_id, metadata = {} } = result.tool_call
        const { confirmed, reason: comment } = result
        const to = { tool_call_id, ...pickFields(metadata, 'approval_id') }
        if (metadata['kind'] !== 'plan') {
          return { ...to, decision: confirmed ? 'approved' : 'rejected' }
        }
        return { ...to, approved: confirmed, ...(comment === undefined ? {} : { comment }) }
      })
    case 'external':
      return answer.results.map(({ id, metadata, output }) => {
        const given = pickFields(metadata, 'selected_option_id', 'text', 'dismissed')
        const isGiven = Object.keys(given).length > 0
        return { tool_call_id: id, ...(isGiven ? given : { text: textOf(output) }) }
      })
    case 'input':
      throw new TransportError(
        'rejected',
        'The Task API asks all its questions about calls, so an answer of the kind "input" was not sent.',
      )
  }
}

function textOf(output: ToolResultBlock['output']): string {
  if (typeof output === 'string') return output
  return output.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('')
}
