// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  type Conversation,
  createConversation,
  getReplyPhase,
} from '../../src/fold/index.js'
import type {
  Anomaly,
  ConversationInput,
  Msg,
  SnapshotOperation,
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

function page(
  messages: readonly Msg[],
  fields: Partial<SnapshotOperation> = {},
): SnapshotOperation {
  return { type: 'kit.snapshot', mode: 'merge', messages, ...fields }
}

function ids(conversation: Conversation): readonly string[] {
  return conversation.messages.map(({ id }) => id)
}

/** A reply as it ends up stored: the server stamped it a little later. */
function stored(local: Conversation, id: string): Msg {
  const found = local.messages.find((each) => each.id === id)
  if (found === undefined) throw new Error(`There is no message ${id}.`)
  return throughJson({
    ...found,
    created_at: `${found.created_at}9`,
    content: found.content.map((block) => ({ ...block, created_at: `${block.created_at}9` })),
  })
}

describe('applyEvents with history', () => {
  it('begins with what is stored, as createConversation does', () => {
    const messages = [userMessage('u', 'hi'), message('r', [], { finished_at: stamp(1) })]
    expect(createConversation({ messages }).messages).toEqual(messages)
    expect(fold([page(messages)]).messages).toEqual(messages)
  })

  it('keeps a message that says the same but for clocks and made-up ids', () => {
    const r = script('r')
    const live = fold([r.start(), ...r.text('b', 'x'), r.end()])
    const anomalies: Anomaly[] = []
    const merged = applyEvents(live, [page([stored(live, 'r')])], (anomaly) =>
      anomalies.push(anomaly),
    )
    expect(merged.messages).toBe(live.messages)
    expect(anomalies).toEqual([])
  })

  it('takes metadata and structured output from history without touching a block', () => {
    const r = script('r')
    const live = fold([r.start(), ...r.text('b', 'x'), r.end()])
    const truth = { ...stored(live, 'r'), metadata: { a: 1 }, structured_output: { b: 2 } }
    const [merged] = fold([page([truth])], live).messages
    expect(merged).toMatchObject({ metadata: { a: 1 }, structured_output: { b: 2 } })
    expect(merged?.content).toBe(live.messages[0]?.content)
  })

  it('replaces a message that differs, keeps the blocks that do not, and says so', () => {
    const r = script('r')
    const live = fold([r.start(), ...r.text('a', 'same'), ...r.text('b', 'ho'), r.end()])
    const truth = stored(live, 'r')
    const whole = {
      ...truth,
      content: [...truth.content.slice(0, 1), { ...truth.content[1], text: 'hole' } as never],
    }
    const anomalies: Anomaly[] = []
    const merged = applyEvents(live, [page([whole])], (anomaly) => anomalies.push(anomaly))
    expect(merged.messages[0]?.content[1]).toMatchObject({ text: 'hole' })
    expect(merged.messages[0]?.content[0]).toBe(live.messages[0]?.content[0])
    expect(anomalies.map(({ kind }) => kind)).toEqual(['differs-from-history'])
  })

  it('finds nothing odd about a reply whose rest was lost with the line', () => {
    const r = script('r')
    const whole = [r.start(), ...r.text('a', 'heard'), ...r.text('b', 'lost'), r.end()]
    const anomalies: Anomaly[] = []
    const merged = applyEvents(fold(whole.slice(0, 3)), [page([stored(fold(whole), 'r')])], (one) =>
      anomalies.push(one),
    )
    expect(merged.messages[0]?.content).toMatchObject([{ text: 'heard' }, { text: 'lost' }])
    expect(anomalies).toEqual([])
  })

  it('finds nothing odd about a reply that parked while the line was lost', () => {
    const r = script('r')
    const whole = [r.start(), ...r.text('a', 'heard'), ...r.call('c', '{}'), r.ask(askedCall('c'))]
    const anomalies: Anomaly[] = []
    const merged = applyEvents(
      fold(whole.slice(0, 3)),
      [page([stored(fold(whole), 'r')], { is_running: false })],
      (one) => anomalies.push(one),
    )
    expect(merged.requests).toMatchObject([{ kind: 'confirm', toolCall: { id: 'c' } }])
    expect(anomalies).toEqual([])
  })

  it('says so of a hole in a reply that was heard to park', () => {
    const r = script('r')
    const whole = [r.start(), ...r.text('a', 'a hole'), ...r.call('c', '{}'), r.ask(askedCall('c'))]
    const heard = whole.filter(({ type }) => type !== 'TEXT_BLOCK_DELTA')
    const anomalies: Anomaly[] = []
    applyEvents(fold(heard), [page([stored(fold(whole), 'r')], { is_running: false })], (one) =>
      anomalies.push(one),
    )
    expect(anomalies.map(({ kind }) => kind)).toEqual(['differs-from-history'])
  })

  it('says so, too, of a reply that went on after it was stored', () => {
    const clock: Clock = { moment: 0 }
    const r = script('r', clock)
    const first = [r.start(), ...r.call('c', '{}'), r.ask(askedCall('c'))]
    const parked = fold([page([stored(fold(first), 'r')])])
    clock.moment = 100
    const rest = [r.decide(true, askedCall('c')), r.start(), r.resultStart('c'), r.resultEnd('c')]
    const text = r.text('b', 'a hole in it')
    const end = r.end()
    const truth = stored(fold([...rest, ...text, end], parked), 'r')
    const anomalies: Anomaly[] = []
    const lost = fold([...rest, ...text.slice(0, 1), ...text.slice(2), end], parked)
    expect(applyEvents(lost, [page([truth])], (anomaly) => anomalies.push(anomaly))).toBeDefined()
    expect(anomalies.map(({ kind }) => kind)).toEqual(['differs-from-history'])
  })

  it('puts the stored message of the user in the place of the one shown at once', () => {
    const r = script('r')
    const live = fold([
      { type: 'kit.user_message', message: userMessage('u', 'hi') },
      r.start(),
      ...r.text('b', 'x'),
    ])
    const truth = { ...userMessage('u', 'hi'), metadata: { kept: true } }
    const merged = fold([page([truth], { is_running: true })], live)
    expect(merged.messages[0]).toMatchObject({ metadata: { kept: true } })
    expect(ids(merged)).toEqual(['u', 'r'])
  })

  describe('the same told twice', () => {
    const r = script('r')
    const run = [r.start(), r.modelStart(), ...r.text('b', 'once'), r.modelEnd(10, 1), r.end()]
    const finished = stored(fold(run), 'r')

    it('ignores the replay of a finished reply', () => {
      const read = fold([page([finished])])
      const replayed = fold(run, read)
      expect(replayed.messages).toBe(read.messages)
      expect(getReplyPhase(replayed, 'r')).toBe('ended')
    })

    it('ignores the echo of an answer whose result is stored', () => {
      const s = script('s')
      const parked = [s.start(), ...s.call('c', '{}'), s.ask(askedCall('c'))]
      const answered = [s.decide(true, askedCall('c')), s.start()]
      const whole = [...parked, ...answered, s.resultStart('c'), s.resultEnd('c'), s.end()]
      const read = fold([page([stored(fold(whole), 's')])])
      expect(fold(whole, read).messages).toBe(read.messages)
    })

    it('ignores what of a finished reply comes late', () => {
      const live = fold([...run.slice(0, 4), page([finished])])
      expect(fold(run, live).messages).toBe(live.messages)
    })

    it('takes a finished reply up again with a later start only', () => {
      const read = fold([page([finished])])
      const late = script('r', { moment: 500 })
      const more = fold([late.start(), ...late.text('c', ' more')], read)
      expect(more.messages[0]?.content).toHaveLength(2)
      expect(getReplyPhase(more, 'r')).toBe('running')
      expect(fold([script('r', { moment: 500 }).textStart('c')], read).messages).toBe(read.messages)
    })

    it('goes on with a parked reply from its answer on, and not from what led to it', () => {
      const clock: Clock = { moment: 0 }
      const s = script('s', clock)
      const first = [
        s.start(),
        s.modelStart(),
        ...s.call('c', '{}'),
        s.modelEnd(7, 1),
        s.ask(askedCall('c')),
      ]
      const parked = stored(fold(first), 's')
      clock.moment = 100
      const second = [
        s.decide(true, askedCall('c')),
        s.start(),
        s.resultStart('c'),
        s.resultEnd('c'),
        s.modelStart(),
        ...s.text('b', 'done'),
        s.modelEnd(5, 1),
        s.end(),
      ]
      const read = fold([page([parked])])
      expect(read.requests).toMatchObject([
        { kind: 'confirm', toolCall: { id: 'c' }, askedAt: null },
      ])
      expect(getReplyPhase(read, 's')).toBe('parked')
      const replayed = fold([...first, ...second], read)
      expect(replayed.messages[0]?.usage).toMatchObject({ input_tokens: 12 })
      expect(replayed.messages[0]?.content.map(({ type }) => type)).toEqual([
        'tool_call',
        'tool_result',
        'text',
      ])
      expect(replayed.requests).toEqual([])
      expect(replayed.replies['s']).toMatchObject({ isComplete: true, phase: 'ended' })
    })

    it('knows that a parked reply is incomplete when its run goes on and the start of that was missed', () => {
      const parked = message('p', [
        { type: 'text', id: 'a', text: 'x', finished_at: stamp(3) },
        askedCall('c'),
      ])
      const late = script('p', { moment: 200 })
      const folded = fold([page([parked]), ...late.text('b', 'later')])
      expect(folded.messages[0]?.content).toHaveLength(3)
      expect(folded.replies['p']).toMatchObject({ isComplete: false })
    })
  })

  describe('a run that is ahead of what is stored', () => {
    const clock: Clock = { moment: 0 }
    const r = script('r', clock)
    const parked = fold([r.start(), ...r.call('c', '{}'), r.ask(askedCall('c'))])
    const old = stored(parked, 'r')

    it('is not put back by the parked message while the run goes on', () => {
      clock.moment = 100
      const going = fold([r.decide(true, askedCall('c')), r.start(), r.resultStart('c')], parked)
      const merged = fold([page([old], { is_running: true })], going)
      expect(merged.messages).toBe(going.messages)
      expect(merged.requests).toEqual([])
    })

    it.each([true, false])('is not asked again what was answered, one of two (%s)', (decision) => {
      clock.moment = 0
      const s = script('s', clock)
      const calls = ['c', 'd'].map((id) => askedCall(id))
      const both = fold([s.start(), ...s.call('c', '{}'), ...s.call('d', '{}'), s.ask(...calls)])
      const page1 = page([stored(both, 's')], { is_running: false })
      clock.moment = 100
      const answered = fold([page1, s.decide(decision, askedCall('c'))], both)
      const merged = fold([{ ...page1, is_running: true }], answered)
      expect(merged.requests).toBe(answered.requests)
      expect(merged.requests).toHaveLength(1)
    })

    it('is not put back when its end was heard before it was stored', () => {
      clock.moment = 200
      const ended = fold(
        [r.decide(true, askedCall('c')), r.start(), r.resultStart('c'), r.resultEnd('c'), r.end()],
        parked,
      )
      expect(fold([page([old], { is_running: false })], ended).messages).toBe(ended.messages)
    })

    it('becomes what is stored when nothing runs', () => {
      const s = script('s')
      const live = fold([s.start(), s.textStart('b'), s.textDelta('b', 'cut of')])
      const truth = message(
        's',
        [{ type: 'text', id: 'b', text: 'cut off', finished_at: stamp(3) }],
        { finished_at: stamp(4), finished_reason: 'interrupted' },
      )
      const merged = fold([page([truth], { is_running: false })], live)
      expect(merged.messages).toEqual([truth])
      expect(getReplyPhase(merged, 's')).toBe('ended')
    })
  })

  describe('when nothing runs', () => {
    it('drops a phantom start and tells of it', () => {
      const r = script('r')
      const anomalies: Anomaly[] = []
      const begun = fold([r.start()])
      const settled = applyEvents(begun, [page([], { is_running: false })], (anomaly) =>
        anomalies.push(anomaly),
      )
      expect(settled.messages).toEqual([])
      expect(getReplyPhase(settled, 'r')).toBe('ended')
      expect(anomalies.map(({ kind }) => kind)).toEqual(['phantom-reply'])
    })

    it('settles a reply whose end was never heard, until it says something after all', () => {
      const r = script('r')
      const settled = fold([r.start(), r.textStart('b'), page([], { is_running: false })])
      expect(getReplyPhase(settled, 'r')).toBe('ended')
      expect(settled.messages).toHaveLength(1)
      const revived = fold([r.textDelta('b', 'here I am')], settled)
      expect(getReplyPhase(revived, 'r')).toBe('running')
      expect(revived.messages[0]?.content).toMatchObject([{ text: 'here I am' }])
    })

    it.each([true, undefined])(
      'leaves a reply running while something may run (%s)',
      (is_running) => {
        const r = script('r')
        const going = fold([r.start(), r.textStart('b')])
        const read = fold([page([], is_running === undefined ? {} : { is_running })], going)
        expect(read).toBe(going)
      },
    )

    it('leaves a reply running when only an older page was read', () => {
      const r = script('r')
      const going = fold([r.start(), r.textStart('b')])
      expect(fold([page([], { is_running: false, before: 'r' })], going)).toBe(going)
    })

    it('leaves a parked reply parked', () => {
      const r = script('r')
      const parked = fold([r.start(), ...r.call('c', '{}'), r.ask(askedCall('c'))])
      const settled = fold([page([stored(parked, 'r')], { is_running: false })], parked)
      expect(getReplyPhase(settled, 'r')).toBe('parked')
      expect(settled.requests).toBe(parked.requests)
    })

    it('sees a reply park that was asked in the same batch', () => {
      const r = script('r')
      const question: ConversationInput = {
        type: 'kit.input_request',
        request_id: 'q',
        reply_id: 'r',
        kind: 'free',
        message: '?',
      }
      const truth = message('r', [{ type: 'text', id: 'b', text: 'stored' }])
      const gone = page([], { mode: 'replace', is_running: true, before: 'r' })
      for (const inputs of [
        [question, r.textStart('b'), page([truth], { is_running: true })],
        [r.resultStart('c'), question, gone],
      ]) {
        const atOnce = fold(inputs)
        expect(getReplyPhase(atOnce, 'r')).toBe('parked')
        const oneByOne = inputs.reduce(
          (conversation, input) => fold([input], conversation),
          createConversation(),
        )
        expect(oneByOne).toEqual(atOnce)
      }
    })

    it('drops a request that history knows was answered', () => {
      const r = script('r')
      const parked = fold([r.start(), ...r.call('c', '{}'), r.ask(askedCall('c'))])
      const [call] = parked.messages[0]?.content ?? []
      const truth = message('r', [{ ...call, state: 'finished' } as never], {
        finished_at: stamp(300),
        finished_reason: 'interrupted',
      })
      const settled = fold([page([truth], { is_running: false })], parked)
      expect(settled.requests).toEqual([])
      expect(getReplyPhase(settled, 'r')).toBe('ended')
    })
  })

  describe('order', () => {
    const at = (...names: readonly string[]): readonly Msg[] =>
      names.map((name) => userMessage(name, name))
    const shown = (...names: readonly string[]): readonly ConversationInput[] =>
      at(...names).map((each) => ({ type: 'kit.user_message', message: each }))

    it.each<[string, readonly string[], readonly string[], readonly string[]]>([
      ['puts the first page before what was heard already', ['x'], ['a', 'b'], ['a', 'b', 'x']],
      ['keeps what is not stored yet behind the page', ['a', 'x'], ['a', 'b'], ['a', 'b', 'x']],
      ['keeps older pages in front', ['o', 'a', 'b'], ['a', 'b', 'c'], ['o', 'a', 'b', 'c']],
      [
        'keeps what was given up between its neighbours',
        ['a', 'x', 'b'],
        ['a', 'b', 'c'],
        ['a', 'x', 'b', 'c'],
      ],
      ['takes in what another screen wrote', ['a', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c']],
      ['believes the order of the page', ['b', 'a'], ['a', 'b'], ['a', 'b']],
      ['leaves all as it is when the page is empty', ['a'], [], ['a']],
    ])('%s', (_, local, newest, expected) => {
      expect(ids(fold([...shown(...local), page(at(...newest))]))).toEqual(expected)
    })

    it('puts an older page right before the message it was asked for', () => {
      const folded = fold([...shown('c', 'd'), page(at('a', 'b'), { before: 'c' })])
      expect(ids(folded)).toEqual(['a', 'b', 'c', 'd'])
      expect(ids(fold([page(at('0', 'a'), { before: 'a' })], folded))).toEqual([
        '0',
        'a',
        'b',
        'c',
        'd',
      ])
    })

    it('lets go of older messages when the newest page has nothing in common with them', () => {
      const reply = message('r', [], { finished_at: stamp(1) })
      const folded = fold([
        page([...at('u'), reply]),
        ...shown('x'),
        page([message('z', [], { finished_at: stamp(9) })]),
      ])
      expect(ids(folded)).toEqual(['z', 'x'])
    })

    it('puts what was never stored before what the page says later', () => {
      const clock: Clock = { moment: 0 }
      const [lost, next] = [script('lost', clock), script('next', clock)]
      const local = fold([page([userMessage('u', 'Hi')]), lost.start(), ...lost.text('t', 'half')])
      const answer = message('next', [], { created_at: next.start().created_at ?? '' })
      const folded = fold(
        [page([userMessage('u', 'Hi'), userMessage('v', 'Again'), answer])],
        local,
      )
      expect(ids(folded)).toEqual(['u', 'lost', 'v', 'next'])
    })

    it('lets go of an old answer that was never stored with the messages it stood beside', () => {
      const clock: Clock = { moment: 0 }
      const [old, next] = [script('old', clock), script('next', clock)]
      const local = fold([
        page([userMessage('u', 'Hi')]),
        old.start(),
        ...old.call('c'),
        old.ask(askedCall('c')),
      ])
      const answer = message('next', [], { created_at: next.start().created_at ?? '' })
      const later = page([userMessage('v', 'Later'), answer], { is_running: false })
      const folded = fold(
        [{ type: 'kit.user_message', message: userMessage('w', 'Now') }, later],
        local,
      )
      expect(ids(folded)).toEqual(['v', 'next', 'w'])
      expect(folded.requests).toEqual([])
    })

    it('takes the later of two messages with one id, where the first stood', () => {
      const asking = message('r', [askedCall('c')])
      const finished = message('r', [], { finished_at: stamp(9) })
      const folded = fold([page([asking, ...at('u'), finished])])
      expect(folded.messages).toEqual([finished, ...at('u')])
      expect(folded.requests).toEqual([])
    })

    it('replaces everything when told to', () => {
      const r = script('r')
      const parked = fold([...shown('x'), r.start(), ...r.call('c'), r.ask(askedCall('c'))])
      const folded = fold([page(at('a'), { mode: 'replace' })], parked)
      expect(ids(folded)).toEqual(['a'])
      expect(folded.requests).toEqual([])
    })
  })

  it('reads messages with holes in them', () => {
    const broken = [
      { id: 'm1', role: 'assistant', name: 'bot', content: null },
      {
        id: 'm2',
        role: 'assistant',
        name: 'bot',
        content: [null, { type: 'text', id: 'b1', text: null }],
      },
      { id: 'm3', role: 'assistant', name: 'bot', content: 'plain' },
      null,
    ]
    const folded = fold([page(broken as never)])
    expect(folded.messages.map(({ content }) => content)).toMatchObject([
      [],
      [{ type: 'text', text: '' }],
      [{ type: 'text', text: 'plain' }],
    ])
  })
})
