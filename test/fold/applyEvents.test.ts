// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  type Conversation,
  createConversation,
  getReplyPhase,
} from '../../src/fold/index.js'
import type {
  AgentEvent,
  Anomaly,
  ConversationInput,
  ToolResultBlock,
} from '../../src/protocol/index.js'
import {
  askedCall,
  type Clock,
  message,
  script,
  stamp,
  throughJson,
  userMessage,
} from './script.js'

function fold(inputs: readonly ConversationInput[], from = createConversation()): Conversation {
  return applyEvents(from, inputs)
}

function anomaliesOf(inputs: readonly unknown[], from = createConversation()): readonly Anomaly[] {
  const anomalies: Anomaly[] = []
  // What comes in may be anything; that is what is tried.
  applyEvents(from, inputs as readonly ConversationInput[], (anomaly) => anomalies.push(anomaly))
  return anomalies
}

function result(id: string, fields: Partial<ToolResultBlock> = {}): ToolResultBlock {
  return {
    type: 'tool_result',
    id,
    name: 'tool',
    output: 'out',
    state: 'success',
    metadata: {},
    ...fields,
  }
}

function texts(conversation: Conversation): readonly string[] {
  return conversation.messages.map(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join(''),
  )
}

describe('applyEvents', () => {
  it('gives the very same conversation when nothing changed', () => {
    const r = script('r')
    const start = r.start()
    const conversation = fold([start, ...r.text('b', 'hi')])
    expect(applyEvents(conversation, [])).toBe(conversation)
    expect(applyEvents(conversation, [start])).toBe(conversation)
    expect(
      applyEvents(conversation, [
        { type: 'kit.gap' },
        { type: 'kit.remove_message', message_id: 'x' },
      ]),
    ).not.toBe(conversation)
    const ended = fold([r.end()], conversation)
    expect(applyEvents(ended, [{ type: 'kit.gap' }])).toBe(ended)
  })

  it('gives the same in one batch and one by one after an answer of a client whose clock is ahead', () => {
    const stored = createConversation({
      messages: [message('r', [{ type: 'text', id: 't', text: 'a' }])],
    })
    const inputs: readonly AgentEvent[] = [
      {
        id: '1',
        type: 'EXTERNAL_EXECUTION_RESULT',
        created_at: '2099-01-01T00:00:00Z',
        reply_id: 'r',
        execution_results: [result('c')],
      },
      { id: '2', type: 'TEXT_BLOCK_START', reply_id: 'r', block_id: 'b', created_at: stamp(5) },
      {
        id: '3',
        type: 'TEXT_BLOCK_DELTA',
        reply_id: 'r',
        block_id: 'b',
        delta: 'hello',
        created_at: stamp(6),
      },
    ]
    const oneByOne = inputs.reduce((held, input) => fold([input], throughJson(held)), stored)
    expect(texts(oneByOne)).toEqual(['a(tool_result)hello'])
    expect(oneByOne).toEqual(fold(inputs, stored))
  })

  describe('replies', () => {
    it('makes no message for a reply that only began', () => {
      const r = script('r')
      const begun = fold([r.start()])
      expect(begun.messages).toEqual([])
      expect(begun.replies['r']).toMatchObject({
        phase: 'running',
        hasBegun: false,
        startedAt: stamp(1),
      })
      const going = fold([r.modelStart()], begun)
      expect(going.messages).toMatchObject([
        { id: 'r', name: 'Friday', role: 'assistant', created_at: stamp(1) },
      ])
      expect(going.replies['r']).toMatchObject({ hasBegun: true })
    })

    it('makes a message for a reply that only failed', () => {
      const r = script('r')
      const error = { type: 'setup', message: 'No model.' }
      const folded = fold([r.start(), r.end({ finished_reason: 'error', error })])
      expect(folded.messages).toMatchObject([{ content: [], finished_reason: 'error', error }])
      expect(folded.replies['r']).toMatchObject({ phase: 'ended', endedAt: stamp(2) })
    })

    it('treats a reason it does not know as an end', () => {
      const r = script('r')
      const folded = fold([r.start(), ...r.text('b', 'x'), r.end({ finished_reason: 'brand_new' })])
      expect(getReplyPhase(folded, 'r')).toBe('ended')
    })

    it('takes a reply up again when it starts again, and leaves its message as it ended until the next end', () => {
      const r = script('r')
      const ended = fold([r.start(), ...r.text('a', 'one'), r.end()])
      const resumed = fold([r.start(), r.textStart('b')], ended)
      expect(resumed.replies['r']).toMatchObject({
        phase: 'running',
        hasBegun: true,
        startedAt: stamp(1),
      })
      expect(resumed.messages).toMatchObject([{ finished_at: ended.messages[0]?.finished_at }])
      const again = fold([r.end({ finished_reason: 'interrupted' })], resumed)
      expect(again.messages).toMatchObject([{ finished_reason: 'interrupted' }])
    })

    it('shows a second start that nothing follows as a phantom on the old message', () => {
      const r = script('r')
      const ended = fold([r.start(), ...r.text('a', 'one'), r.end()])
      const phantom = fold([r.start()], ended)
      expect(phantom.messages).toBe(ended.messages)
      expect(phantom.replies['r']).toMatchObject({ phase: 'running', hasBegun: false })
      const settled = fold([snapshot({ messages: ended.messages, is_running: false })], phantom)
      expect(settled.messages).toBe(ended.messages)
      expect(settled.replies['r']).toMatchObject({ phase: 'ended' })
    })

    it('keeps what comes after the end without bringing the reply back to life', () => {
      const r = script('r')
      const ended = fold([
        r.start(),
        ...r.call('t1', '{}'),
        r.resultStart('t1'),
        r.resultText('t1', 'step 1\n'),
        ...r.call('t2'),
        r.end({ finished_reason: 'interrupted' }),
      ])
      const late = fold([r.resultText('t1', 'step 2\n'), r.resultStart('t2')], ended)
      expect(late.replies['r']).toMatchObject({ phase: 'ended' })
      expect(late.messages[0]?.content[1]).toMatchObject({ output: [{ text: 'step 1\nstep 2\n' }] })
    })

    it('keeps model calls with both stamps and tokens, and adds the tokens up in the message', () => {
      const r = script('r')
      const folded = fold([
        r.start(),
        r.modelStart(),
        r.modelEnd(10, 2),
        r.modelStart(),
        r.modelEnd(5, 1),
        r.modelStart(),
      ])
      expect(folded.messages[0]?.usage).toMatchObject({ input_tokens: 15, output_tokens: 3 })
      expect(folded.replies['r']?.modelCalls).toEqual([
        expect.objectContaining({
          modelName: 'model',
          startedAt: stamp(2),
          endedAt: stamp(3),
          finishedReason: 'completed',
        }),
        expect.objectContaining({ startedAt: stamp(4), endedAt: stamp(5) }),
        {
          modelName: 'model',
          usage: null,
          startedAt: stamp(6),
          endedAt: null,
          finishedReason: null,
        },
      ])
    })

    it('keeps two replies apart that use the same ids in turns', () => {
      const clock: Clock = { moment: 0 }
      const [one, two] = [script('r1', clock), script('r2', clock)]
      const folded = fold([
        one.start(),
        one.textStart('b'),
        two.start(),
        two.textStart('b'),
        one.textDelta('b', '1'),
        two.textDelta('b', '2'),
        one.textDelta('b', '1'),
      ])
      expect(texts(folded)).toEqual(['11', '2'])
    })
  })

  describe('what is odd', () => {
    it('goes on after unknown types, missing types and what is no object', () => {
      const inputs = [
        {
          id: 'e1',
          type: 'REPLY_START',
          session_id: 's1',
          reply_id: 'r1',
          name: 'bot',
          visibility: 'user',
          new_field: { a: 1 },
        },
        { id: 'e2', type: 'GALAXY_BLOCK_START', reply_id: 'r1', block_id: 'g1' },
        { id: 'e3', type: 'TEXT_BLOCK_START', reply_id: 'r1', block_id: 'b1' },
        { id: 'e4', type: 'CUSTOM', name: 'never_seen_before', value: {} },
        { id: 'e5' },
        null,
        'text',
        42,
        {
          id: 'e6',
          type: 'TEXT_BLOCK_DELTA',
          reply_id: 'r1',
          block_id: 'b1',
          delta: 'still here',
          extra: true,
        },
        {
          id: 'e7',
          type: 'REPLY_END',
          session_id: 's1',
          reply_id: 'r1',
          finished_reason: 'brand_new_reason',
        },
      ]
      const folded = fold(inputs as readonly ConversationInput[])
      expect(texts(folded)).toEqual(['still here'])
      expect(getReplyPhase(folded, 'r1')).toBe('ended')
      expect(anomaliesOf(inputs).map(({ kind }) => kind)).toEqual([
        'unknown-event',
        'not-an-event',
        'not-an-event',
        'not-an-event',
        'not-an-event',
      ])
    })

    it('tells once of a delta whose block was never started, and knows the reply is incomplete', () => {
      const r = script('r')
      const inputs = [r.start(), r.textDelta('x', 'a'), r.textDelta('x', 'b'), ...r.text('y', 'c')]
      const folded = fold(inputs)
      expect(texts(folded)).toEqual(['c'])
      expect(folded.replies['r']).toMatchObject({ isComplete: false, phase: 'running' })
      expect(anomaliesOf(inputs).map(({ kind }) => kind)).toEqual(['orphan-event'])
    })

    it('keeps what can be read of a reply whose start was missed, and knows it is incomplete', () => {
      const r = script('r')
      const folded = fold([
        r.textDelta('x', 'lost'),
        r.textEnd('x'),
        ...r.text('y', 'heard'),
        r.end(),
      ])
      expect(texts(folded)).toEqual(['heard'])
      expect(folded.replies['r']).toMatchObject({ isComplete: false, phase: 'ended' })
    })

    it.each<[string, (r: ReturnType<typeof script>) => AgentEvent]>([
      ['REPLY_END', (r) => r.end()],
      ['TOOL_RESULT_END', (r) => r.resultEnd('c')],
      ['MODEL_CALL_END', (r) => r.modelEnd(1, 1)],
    ])('says nothing of a lone %s, which every connection to an idle session brings', (_, make) => {
      const event = make(script('r'))
      const folded = fold([event])
      expect(folded.messages).toEqual([])
      expect(folded.replies).toEqual({})
      expect(anomaliesOf([event])).toEqual([])
    })

    it('tells of bytes that cannot be read', () => {
      const base = { reply_id: 'r', block_id: 'd' }
      const inputs: readonly AgentEvent[] = [
        script('r').start(),
        { ...base, type: 'DATA_BLOCK_START', media_type: 'image/png' },
        { ...base, type: 'DATA_BLOCK_DELTA', data: 'AA==' },
        { ...base, type: 'DATA_BLOCK_DELTA', data: 'A' },
      ]
      expect(anomaliesOf(inputs).map(({ kind }) => kind)).toEqual(['bad-data'])
      expect(fold(inputs).replies['r']).toMatchObject({ isComplete: false })
    })

    it('does not fold events into a message of the user', () => {
      const user = userMessage('u', 'mine')
      const folded = fold([
        { type: 'kit.user_message', message: user },
        script('u').start(),
        ...script('u').text('b', 'x'),
      ])
      expect(folded.messages).toEqual([user])
    })

    it('marks replies under way as incomplete when something was lost', () => {
      const [one, two] = [script('r1'), script('r2')]
      const folded = fold([
        one.start(),
        ...one.text('b', 'x'),
        one.end(),
        two.start(),
        { type: 'kit.gap' },
      ])
      expect(folded.replies).toMatchObject({ r1: { isComplete: true }, r2: { isComplete: false } })
    })
  })

  describe('requests', () => {
    const written = {
      ...askedCall('c'),
      unknown_field: 'keep me',
      input: '{ "n": 1.0, "big": 12345678901234567890 }',
    }

    it('keeps the call exactly as it was asked, unknown fields and all', () => {
      const r = script('r')
      const asked = throughJson({ ...r.ask(written), id: 'ask' })
      const folded = fold([r.start(), ...r.call('c'), asked])
      expect(folded.requests).toEqual([
        {
          kind: 'confirm',
          key: 'r:c',
          replyId: 'r',
          toolCall: written,
          askedAt: stamp(1),
          worker: null,
          metadata: null,
        },
      ])
      expect(folded.messages[0]?.content[0]).toMatchObject({ input: '', state: 'asking' })
    })

    it('offers a call whose start was lost, though the message lacks it', () => {
      const r = script('r')
      const folded = fold([r.start(), ...r.text('b', 'x'), r.ask(written)])
      expect(folded.requests).toMatchObject([{ toolCall: written }])
      expect(texts(folded)).toEqual(['x'])
      expect(fold([r.ask(written)]).requests).toHaveLength(1)
    })

    it('asks once for a call that is asked for twice, with the latest words', () => {
      const r = script('r')
      const other = askedCall('d')
      const before = fold([r.start(), r.ask(written), r.ask(other)])
      const same = fold([r.ask(throughJson(written))], before)
      expect(same.requests[0]).toBe(before.requests[0])
      const changed = fold([r.ask({ ...written, input: '{}' })], before)
      expect(changed.requests).toMatchObject([
        { toolCall: { id: 'c', input: '{}' } },
        { toolCall: other },
      ])
    })

    it('does not offer a call that has its result, as a late repeat would', () => {
      const r = script('r')
      const done = [r.start(), ...r.call('c', '{}'), r.resultStart('c'), r.resultEnd('c')]
      const folded = fold([...done, r.ask(askedCall('c'))])
      expect(folded.requests).toEqual([])
      expect(folded.messages[0]?.content[0]).toMatchObject({ state: 'asking' })
    })

    it('is parked when nothing but the question is left, and runs when the answer is heard', () => {
      const r = script('r')
      const asking = [r.start(), ...r.call('a', '{}'), ...r.call('b', '{}'), r.ask(askedCall('a'))]
      const parked = fold(asking)
      expect(getReplyPhase(parked, 'r')).toBe('parked')
      const busy = fold([r.resultStart('b')], parked)
      expect(getReplyPhase(busy, 'r')).toBe('running')
      const quiet = fold([r.resultText('b', 'x'), r.resultEnd('b')], busy)
      expect(getReplyPhase(quiet, 'r')).toBe('parked')
      const answered = fold([r.decide(true, askedCall('a'))], quiet)
      expect(answered.requests).toEqual([])
      expect(getReplyPhase(answered, 'r')).toBe('running')
      const going = fold([r.start(), r.resultStart('a'), r.resultEnd('a')], answered)
      expect(getReplyPhase(going, 'r')).toBe('running')
      expect(going.replies['r']).toMatchObject({ resumedAt: stamp(13), startedAt: stamp(1) })
    })

    it('stays parked for the call that was not answered yet, and through a start that nothing follows', () => {
      const r = script('r')
      const both = fold([
        r.start(),
        ...r.call('a'),
        ...r.call('b'),
        r.ask(askedCall('a')),
        r.ask(askedCall('b')),
      ])
      const one = fold(
        [r.decide(true, askedCall('a')), r.start(), r.resultStart('a'), r.resultEnd('a')],
        both,
      )
      expect(one.requests).toMatchObject([{ toolCall: { id: 'b' } }])
      expect(getReplyPhase(one, 'r')).toBe('parked')
      expect(getReplyPhase(fold([r.start()], one), 'r')).toBe('parked')
    })

    it('waits for a tool of the client, whose result runs all the while', () => {
      const r = script('r')
      const out = fold([
        r.start(),
        ...r.call('c', '{}'),
        r.resultStart('c'),
        r.handOut(askedCall('c', { state: 'submitted' })),
      ])
      expect(out.requests).toMatchObject([{ kind: 'external', toolCall: { id: 'c' } }])
      expect(getReplyPhase(out, 'r')).toBe('parked')
      const back = fold([r.answer(result('c'))], out)
      expect(back.requests).toEqual([])
      expect(getReplyPhase(back, 'r')).toBe('running')
    })

    it.each<[string, (r: ReturnType<typeof script>) => AgentEvent]>([
      ['its result begins', (r) => r.resultStart('c')],
      ['its result ends', (r) => r.resultEnd('c')],
      ['the model goes on', (r) => r.modelStart()],
      ['the reply ends', (r) => r.end({ finished_reason: 'interrupted' })],
      ['an answer is heard', (r) => r.decide(false, askedCall('c'))],
    ])('takes a request away when %s', (_, make) => {
      const r = script('r')
      const parked = fold([r.start(), ...r.call('c', '{}'), r.ask(askedCall('c'))])
      expect(parked.requests).toHaveLength(1)
      expect(fold([make(r)], parked).requests).toEqual([])
    })

    it('still waits when a wrong answer ended the reply, and goes on with the right one', () => {
      const r = script('r')
      const parked = fold([r.start(), ...r.call('c', '{}'), r.ask(askedCall('c'))])
      const wrong = fold(
        [r.decide(true, askedCall('nope')), r.start(), r.end({ finished_reason: 'error' })],
        parked,
      )
      expect(wrong.requests).toMatchObject([{ toolCall: { id: 'c' } }])
      expect(getReplyPhase(wrong, 'r')).toBe('parked')
      const right = fold(
        [r.decide(true, askedCall('c')), r.start(), r.resultStart('c'), r.resultEnd('c'), r.end()],
        wrong,
      )
      expect(right.requests).toEqual([])
      expect(getReplyPhase(right, 'r')).toBe('ended')
      expect(right.messages).toMatchObject([{ finished_reason: 'completed' }])
    })

    it('asks again when an answer was taken, refused, and its call is still open', () => {
      const r = script('r')
      const submitted = askedCall('c', { state: 'submitted' })
      const out = [r.start(), ...r.call('c', '{}'), r.resultStart('c'), r.handOut(submitted)]
      const refused = fold([
        ...out,
        r.answer(result('c')),
        r.start(),
        r.end({ finished_reason: 'error' }),
      ])
      expect(refused.requests).toMatchObject([{ kind: 'external', toolCall: { id: 'c' } }])
    })

    it('offers what a sub-agent asks for until it is done', () => {
      const r = script('worker-reply')
      const asks = (id: string, event: AgentEvent): AgentEvent => ({
        type: 'CUSTOM',
        id,
        name: 'subagent_require_user_confirm',
        value: throughJson({
          worker_session_id: 's2',
          worker_agent_id: 'a2',
          worker_agent_name: 'researcher',
          reply_id: 'worker-reply',
          event_type: 'require_user_confirm',
          event,
        }) as never,
      })
      const question = r.ask(askedCall('c'))
      const folded = fold([
        asks('one', question),
        asks('two', question),
        asks('three', r.ask(askedCall('d'))),
      ])
      expect(folded.requests).toMatchObject([
        {
          replyId: 'worker-reply',
          toolCall: { id: 'c' },
          worker: { sessionId: 's2', agentId: 'a2', agentName: 'researcher' },
        },
        { toolCall: { id: 'd' } },
      ])
      expect(folded.messages).toEqual([])
      const answered = fold([r.decide(true, askedCall('c'))], folded)
      expect(answered.requests).toMatchObject([{ toolCall: { id: 'd' } }])
      const done: AgentEvent = {
        type: 'CUSTOM',
        name: 'subagent_user_confirm_result',
        value: { worker_session_id: 's2', reply_id: 'worker-reply' },
      }
      expect(fold([done], folded).requests).toEqual([])
    })

    it('keeps questions that are not about a tool call until they are resolved', () => {
      const question: ConversationInput = {
        type: 'kit.input_request',
        request_id: 'q',
        reply_id: 'r',
        kind: 'free',
        message: 'Which one?',
      }
      const r = script('r')
      const asked = fold([r.start(), ...r.text('b', 'x'), question])
      expect(asked.requests).toMatchObject([{ kind: 'input', request: question }])
      expect(getReplyPhase(asked, 'r')).toBe('parked')
      const resolved = fold([{ type: 'kit.input_resolved', request_id: 'q' }], asked)
      expect(resolved.requests).toEqual([])
      expect(getReplyPhase(resolved, 'r')).toBe('running')
    })

    it('takes any request away by its key', () => {
      const r = script('r')
      const asked = fold([r.start(), r.ask(askedCall('c'))])
      const [request] = asked.requests
      expect(
        fold([{ type: 'kit.input_resolved', request_id: request?.key ?? '' }], asked).requests,
      ).toEqual([])
    })
  })

  describe('notices', () => {
    it('keeps the latest value of each name, and nothing of it on messages', () => {
      const r = script('r')
      const folded = fold([
        r.start(),
        ...r.text('b', 'x'),
        { type: 'CUSTOM', name: 'state_updated', value: { a: 1 } },
        { type: 'CUSTOM', name: 'state_updated', value: { a: 2 }, reply_id: 'r' },
        { type: 'CUSTOM', name: 'team_updated' },
      ])
      expect(folded.notices).toEqual({ state_updated: { a: 2 }, team_updated: {} })
      expect(JSON.stringify(folded.messages)).not.toContain('state_updated')
    })
  })

  describe('sub-agents on the same stream', () => {
    it('have their own messages, by their path', () => {
      const r = script('inner')
      const nested = [r.start(), ...r.text('b', 'deep')].map((event) => ({
        ...event,
        agent_path: ['lead', 'helper'],
      }))
      const outer = script('outer')
      const folded = fold([outer.start(), ...nested, ...outer.text('b', 'top')])
      expect(texts(folded)).toEqual(['top'])
      expect(folded.runs).toMatchObject([
        { agentPath: ['lead', 'helper'], messages: [{ id: 'inner', content: [{ text: 'deep' }] }] },
      ])
      expect(folded.replies['inner']).toMatchObject({ agentPath: ['lead', 'helper'] })
      const more = fold([outer.textStart('c')], folded)
      expect(more.runs).toBe(folded.runs)
    })
  })

  describe('operations', () => {
    it('shows a message of the user once, and takes a given up one out again', () => {
      const shown: ConversationInput = { type: 'kit.user_message', message: userMessage('u', 'hi') }
      const folded = fold([shown, shown])
      expect(folded.messages).toHaveLength(1)
      expect(fold([{ type: 'kit.remove_message', message_id: 'u' }], folded).messages).toEqual([])
    })

    it('takes back the end of a reply, with what it asked for', () => {
      const r = script('r')
      const folded = fold([
        r.start(),
        ...r.text('a', 'stays'),
        ...r.call('c', '{}'),
        r.ask(askedCall('c')),
        { type: 'kit.rollback', reply_id: 'r', mark: 1 },
        ...r.text('c', ' and more'),
      ])
      expect(texts(folded)).toEqual(['stays and more'])
      expect(folded.requests).toEqual([])
    })

    it('puts a whole block in the place of the first of its kind and id, or at the end', () => {
      const r = script('r')
      const folded = fold([
        r.start(),
        ...r.text('a', 'old'),
        { type: 'kit.block_set', reply_id: 'r', block: { type: 'text', id: 'a', text: 'new' } },
        { type: 'kit.block_set', reply_id: 'r', block: { type: 'text', id: 'b', text: '!' } },
        r.textDelta('a', 'er'),
      ])
      expect(texts(folded)).toEqual(['newer!'])
    })
  })

  it('remembers thousands of ids and stays small', () => {
    const r = script('r')
    const events = [
      r.start(),
      r.textStart('b'),
      ...Array.from({ length: 100_000 }, () => r.textDelta('b', '.')),
    ]
    const folded = fold(events)
    expect(folded.seen.flat().length).toBeGreaterThan(24_000)
    expect(folded.seen.flat().length).toBeLessThan(50_000)
    expect(fold(events.slice(-24_000), folded)).toBe(folded)
    expect(fold(events.slice(-24_000), throughJson(folded))).toEqual(folded)
  })

  it('copies a batch’s blocks once, however many deltas they get', () => {
    const r = script('r')
    const begun = fold([r.start(), r.textStart('a'), r.textStart('b')])
    const next = fold(
      Array.from({ length: 1000 }, () => r.textDelta('b', 'x')),
      begun,
    )
    expect(next.messages[0]?.content[0]).toBe(begun.messages[0]?.content[0])
    expect(next.replies).toBe(begun.replies)
    expect(begun.messages[0]?.content[1]).toMatchObject({ text: '' })
    expect(next.messages[0]?.content[1]).toMatchObject({ text: 'x'.repeat(1000) })
  })

  it('looks a block up without reading all blocks, batch after batch', () => {
    const r = script('r')
    let reads = 0
    const counted = (id: string) =>
      Object.defineProperty({ type: 'text' as const, text: '' }, 'id', {
        enumerable: true,
        get: () => {
          reads += 1
          return id
        },
      }) as never
    const content = Array.from({ length: 1000 }, (_, index) => counted(`b${index}`))
    let conversation = fold([r.start(), r.modelStart()])
    conversation = { ...conversation, messages: [message('r', content)] }
    conversation = fold([r.textDelta('b5', 'x')], conversation)
    const once = reads
    for (let turn = 0; turn < 50; turn += 1)
      conversation = fold([r.textDelta(`b${turn + 10}`, 'x')], conversation)
    expect(reads - once).toBeLessThan(1000)
  })
})

function snapshot(
  fields: Pick<Extract<ConversationInput, { type: 'kit.snapshot' }>, 'messages' | 'is_running'>,
): ConversationInput {
  return { type: 'kit.snapshot', mode: 'merge', ...fields }
}
