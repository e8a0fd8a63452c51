import {
  getTextContent,
  isJsonObject,
  TransportError,
  type ConversationInput,
  type Dialect,
  type EndCause,
  type FrameDecoder,
} from '../../../src/entries/core.js'

/**
 * A made-up service. Its stream says `{ n, turn, say }` for each piece of an answer and `{ n, turn, over: true }` at its end;
 * `n` counts the frames of the session.
 */
export const parrotDialect: Dialect = {
  name: 'parrot',
  createDecoder,
  encode: {
    send: (input) => ({ question: input?.map((message) => getTextContent(message) ?? '') ?? [] }),
    answer: () => {
      throw new TransportError('rejected', 'A parrot asks nothing, so it takes no answer.')
    },
  },
}

function createDecoder(): FrameDecoder {
  /** Turns under way. Only what the frames say goes in here: no clock, no chance. */
  const open = new Set<string>()

  function begin(turn: string): readonly ConversationInput[] {
    if (open.has(turn)) return []
    open.add(turn)
    // An id made of the wire's own words comes out the same in a replay, and so is heard once.
    return [
      { type: 'REPLY_START', id: `${turn}:start`, reply_id: turn, name: 'Polly' },
      { type: 'TEXT_BLOCK_START', id: `${turn}:text`, reply_id: turn, block_id: 'text' },
    ]
  }

  function end(turn: string, cause: EndCause | 'over'): readonly ConversationInput[] {
    if (!open.delete(turn)) return []
    const finished_reason =
      cause === 'over' ? 'completed' : cause === 'abort' ? 'interrupted' : 'error'
    return [
      { type: 'TEXT_BLOCK_END', id: `${turn}:text-end`, reply_id: turn, block_id: 'text' },
      { type: 'REPLY_END', id: `${turn}:end`, reply_id: turn, finished_reason },
    ]
  }

  function read(frame: unknown): readonly ConversationInput[] | undefined {
    if (!isJsonObject(frame)) return undefined
    const { n, turn, say, over } = frame
    if (typeof n !== 'number' || typeof turn !== 'string') return undefined
    if (over === true) return end(turn, 'over')
    if (typeof say !== 'string') return undefined
    const delta = {
      type: 'TEXT_BLOCK_DELTA',
      reply_id: turn,
      block_id: 'text',
      delta: say,
    } as const
    return [...begin(turn), { ...delta, id: `frame-${n}` }]
  }

  return {
    push: (frame) => {
      const frames: readonly unknown[] = Array.isArray(frame) ? frame : [frame]
      const decoded = frames.map((value) => ({ value, inputs: read(value) }))
      return {
        inputs: decoded.flatMap(({ inputs }) => inputs ?? []),
        // What cannot be used is told, and breaks nothing.
        anomalies: decoded.flatMap(({ value, inputs }) =>
          inputs === undefined
            ? [{ kind: 'unknown-event', message: 'No word of a parrot.', raw: value } as const]
            : [],
        ),
      }
    },
    end: (cause) => ({
      inputs: [...open].flatMap((turn) => end(turn, cause)),
      anomalies: [],
    }),
  }
}
