// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { agentscopeDialect } from '../../../src/dialects/index.js'
import { applyEvents, createConversation } from '../../../src/fold/index.js'
import {
  getTextContent,
  TransportError,
  UserMsg,
  type ConfirmResult,
} from '../../../src/protocol/index.js'

const delta = {
  type: 'TEXT_BLOCK_DELTA',
  id: 'e1',
  reply_id: 'r1',
  block_id: 'b1',
  delta: 'Hi',
}

describe('agentscopeDialect', () => {
  it('hands an event over as it is', () => {
    const { inputs, anomalies } = agentscopeDialect.createDecoder().push(delta)
    expect(inputs[0]).toBe(delta)
    expect(inputs).toHaveLength(1)
    expect(anomalies).toEqual([])
  })

  it('reads an array as a batch, in order, and passes over what is odd in it', () => {
    const frame = [delta, { type: 'FROM_THE_FUTURE' }, [delta], null, { ...delta, id: 'e2' }]
    const { inputs, anomalies } = agentscopeDialect.createDecoder().push(frame)
    expect(inputs.map(({ id }) => id)).toEqual(['e1', 'e2'])
    expect(anomalies.map(({ kind }) => kind)).toEqual([
      'unknown-event',
      'not-an-event',
      'not-an-event',
    ])
  })

  it.each([undefined, null, 1, '', 'text', {}, { type: 1 }, { type: 'kit.snapshot' }])(
    'survives %j',
    (frame) => {
      const { inputs, anomalies } = agentscopeDialect.createDecoder().push(frame)
      expect(inputs).toEqual([])
      expect(anomalies).toHaveLength(1)
    },
  )

  it('names a field it does not know once per kind of event, and keeps it', () => {
    const decoder = agentscopeDialect.createDecoder()
    const strange = { ...delta, mood: 'good' }
    expect(decoder.push([strange, strange])).toMatchObject({
      inputs: [strange, strange],
      anomalies: [{ kind: 'unknown-fields', raw: strange }],
    })
    expect(decoder.push(strange).anomalies).toEqual([])
    expect(decoder.push({ ...strange, weather: 'fair' }).anomalies).toHaveLength(1)
    const start = { type: 'TEXT_BLOCK_START', reply_id: 'r1', block_id: 'b1', mood: 'good' }
    expect(decoder.push(start).anomalies).toHaveLength(1)
    expect(agentscopeDialect.createDecoder().push(strange).anomalies).toHaveLength(1)
  })

  it.each(['', 'e1'])('tells once of a sender whose events all have the id "%s"', (id) => {
    const decoder = agentscopeDialect.createDecoder()
    const events = [
      { type: 'REPLY_START', id, reply_id: 'r1', session_id: 's1', name: 'Friday' },
      { type: 'TEXT_BLOCK_START', id, reply_id: 'r1', block_id: 'b1' },
      { ...delta, id },
      { ...delta, id, delta: ' there' },
    ]
    const decoded = events.map((event) => decoder.push(event))
    expect(decoded.flatMap(({ anomalies }) => anomalies)).toMatchObject([
      { kind: 'malformed-event', raw: events[1] },
    ])
    const inputs = decoded.flatMap((each) => each.inputs)
    const { messages } = applyEvents(createConversation(), inputs)
    expect(messages.map((message) => getTextContent(message))).toEqual(['Hi there'])
  })

  it('goes on to look at ids that tell events apart', () => {
    const decoder = agentscopeDialect.createDecoder()
    const start = { type: 'TEXT_BLOCK_START', id: '', reply_id: 'r1', block_id: 'b1' }
    const { inputs } = decoder.push([start, { ...start, type: 'TEXT_BLOCK_END' }, delta, start])
    expect(inputs.map(({ id }) => id)).toEqual(['', undefined, delta.id, undefined])
  })

  it('leaves it to the id whether an event comes twice', () => {
    const decoder = agentscopeDialect.createDecoder()
    const start = { type: 'TEXT_BLOCK_START', id: 'e0', reply_id: 'r1', block_id: 'b1' }
    const frames = [start, delta, delta, start, delta]
    expect(decoder.push(frames)).toEqual({ inputs: frames, anomalies: [] })
    const bare = frames.map(({ id: _id, ...event }) => event)
    expect(decoder.push(bare)).toEqual({ inputs: bare, anomalies: [] })
  })

  it('still names other oddities every time', () => {
    const decoder = agentscopeDialect.createDecoder()
    for (const _ of [1, 2]) {
      expect(decoder.push({ ...delta, metadata: 'no object' }).anomalies).toHaveLength(1)
    }
  })

  it('stops naming fields of a sender that makes up ever new ones', () => {
    const decoder = agentscopeDialect.createDecoder()
    const frames = Array.from({ length: 2_000 }, (_, n) => ({ ...delta, [`field${n}`]: n }))
    const { inputs, anomalies } = decoder.push(frames)
    expect(inputs).toHaveLength(2_000)
    expect(anomalies).toHaveLength(500)
  })

  it('has nothing to settle at the end', () => {
    const decoder = agentscopeDialect.createDecoder()
    decoder.push(delta)
    for (const cause of ['eof', 'abort', 'error'] as const) {
      expect(decoder.end(cause)).toEqual({ inputs: [], anomalies: [] })
    }
  })

  it('sends one message as it is, several as a list, and null to go on', () => {
    const { encode } = agentscopeDialect
    const first = UserMsg({ name: 'user', content: 'One' })
    const second = UserMsg({ name: 'user', content: 'Two' })
    expect(encode.send([first])).toBe(first)
    expect(encode.send([first, second])).toEqual([first, second])
    expect(encode.send(null)).toBeNull()
  })

  it('sends a decision with the very call that was asked about', () => {
    const wire = `{"type":"tool_call","id":"t1","name":"write","input":"{ \\"path\\" : \\"/data/a\\", \\"n\\": 1.0, \\"big\\": 12345678901234567890 }","state":"asking","suggested_rules":[{"x":1}],"unknown_field":"keep me"}`
    const { inputs } = agentscopeDialect
      .createDecoder()
      .push({ type: 'REQUIRE_USER_CONFIRM', reply_id: 'r1', tool_calls: [JSON.parse(wire)] })
    const request = inputs[0]
    if (request?.type !== 'REQUIRE_USER_CONFIRM') throw new Error('No request was read.')
    const results: ConfirmResult[] = request.tool_calls.map((call) => ({
      confirmed: true,
      tool_call: call,
    }))
    const sent = agentscopeDialect.encode.answer({
      kind: 'confirm',
      id: 'mine',
      reply_id: 'r1',
      results,
    })
    expect(JSON.stringify(sent)).toBe(
      `{"type":"USER_CONFIRM_RESULT","id":"mine","reply_id":"r1","confirm_results":[{"confirmed":true,"tool_call":${wire}}]}`,
    )
  })

  it('sends results of tools that the client ran', () => {
    const result = {
      type: 'tool_result',
      id: 't1',
      name: 'ext',
      output: 'hello',
      state: 'success',
      metadata: { k: 1 },
    } as const
    expect(
      agentscopeDialect.encode.answer({
        kind: 'external',
        id: 'mine',
        reply_id: 'r1',
        results: [result],
      }),
    ).toEqual({
      type: 'EXTERNAL_EXECUTION_RESULT',
      id: 'mine',
      reply_id: 'r1',
      execution_results: [result],
    })
  })

  it('refuses an answer that AgentScope has no place for', () => {
    expect(() =>
      agentscopeDialect.encode.answer({
        kind: 'input',
        id: 'a',
        request_id: 'q',
        action: 'cancel',
      }),
    ).toThrow(TransportError)
  })
})
