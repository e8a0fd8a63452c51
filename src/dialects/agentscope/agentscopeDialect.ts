import {
  parseEvent,
  TransportError,
  unknownFields,
  type AgentEvent,
  type Answer,
  type Anomaly,
  type Decoded,
  type Dialect,
  type FrameDecoder,
  type JsonValue,
  type UserInput,
} from '../../protocol/index.js'

const NOTHING: Decoded = { inputs: [], anomalies: [] }

/** A sender that makes up ever new fields is not listened to for ever. */
const MOST_FIELDS_NAMED = 500

/**
 * AgentScope Python 2.0, the kit's own language: every frame is one event's JSON, or an array of them.
 *
 * A field that this version does not know is named once per kind of event, not on each of its events. A sender that gives
 * events of different kinds one id, such as an empty one, is told of once; that id is left out from there on, so that none
 * of these events counts as one that was heard before.
 */
export const agentscopeDialect: Dialect = {
  name: 'agentscope',
  createDecoder,
  encode: { send: encodeInput, answer: encodeAnswer },
}

function createDecoder(): FrameDecoder {
  const named = new Set<string>()
  let last: AgentEvent | undefined
  /** An id that says nothing. */
  let voidId: string | undefined

  function decode(value: unknown, inputs: AgentEvent[], anomalies: Anomaly[]): void {
    const { event, anomalies: odd } = parseEvent(value)
    if (event !== undefined) {
      if (event.id !== voidId && isAnother(event)) {
        if (voidId === undefined) anomalies.push(sameId(event))
        voidId = event.id
      }
      inputs.push(event.id !== undefined && event.id === voidId ? withoutId(event) : event)
      last = event
    }
    for (const anomaly of odd) {
      if (anomaly.kind !== 'unknown-fields' || isNew(event)) anomalies.push(anomaly)
    }
  }

  /** Whether it has the id of the event before it, and certainly is not that one again. */
  function isAnother({ id, type }: AgentEvent): boolean {
    return id !== undefined && id === last?.id && type !== last.type
  }

  function isNew(event: AgentEvent | undefined): boolean {
    if (event === undefined || named.size >= MOST_FIELDS_NAMED) return false
    const before = named.size
    for (const name of unknownFields(event)) named.add(`${event.type}.${name}`)
    return named.size > before
  }

  return {
    push: (frame) => {
      const inputs: AgentEvent[] = []
      const anomalies: Anomaly[] = []
      const values: readonly unknown[] = Array.isArray(frame) ? frame : [frame]
      for (const value of values) decode(value, inputs, anomalies)
      return { inputs, anomalies }
    },
    // An event is whole by itself, and what a stream left open its history tells.
    end: () => NOTHING,
  }
}

function withoutId({ id: _id, ...event }: AgentEvent): AgentEvent {
  return event
}

function sameId(raw: AgentEvent): Anomaly {
  const message = `Different events have the same id ("${raw.id}"), which is not looked at any more.`
  return { kind: 'malformed-event', message, raw }
}

/** One message goes as it is, several as a list: the service takes both. */
function encodeInput(input: UserInput): JsonValue {
  return toJson(input?.length === 1 ? input[0] : input)
}

/** Calls and results go out as they came in, to the letter: the service runs what it is sent. */
function encodeAnswer(answer: Answer): JsonValue {
  const { id } = answer
  switch (answer.kind) {
    case 'confirm':
      return toJson({
        type: 'USER_CONFIRM_RESULT',
        id,
        reply_id: answer.reply_id,
        confirm_results: answer.results,
      })
    case 'external':
      return toJson({
        type: 'EXTERNAL_EXECUTION_RESULT',
        id,
        reply_id: answer.reply_id,
        execution_results: answer.results,
      })
    case 'input':
      throw new TransportError(
        'rejected',
        'AgentScope asks for decisions and results of tools only: it has no place for this answer.',
      )
  }
}

/** Messages and answers are JSON by construction; their interfaces lack the index signature that would let TypeScript see it. */
function toJson(value: unknown): JsonValue {
  return value as JsonValue
}
