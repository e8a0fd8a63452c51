import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { AgentChat, MessageList } from '../../src/components/index.js'
import type { ChatSlots } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { Answer, ConversationInput } from '../../src/protocol/index.js'
import { at, reply, toolCall, toolResult } from '../../stories/fixtures/blocks.js'
import { asking, replyStart } from '../../stories/fixtures/events.js'
import { asksUser, channels, inputRequest, twoQuestions } from '../../stories/fixtures/questions.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import type { StillBackendOptions } from '../../stories/fixtures/stillBackend.js'
import { atOnce, inChat, say, settled } from './inChat.js'

const release = toolCall(
  'ask_user',
  { question_id: 'x', question: 'Where to?', options: channels },
  { id: 'q1' },
)

async function show(
  inputs: readonly ConversationInput[],
  more: StillBackendOptions & { readonly slots?: ChatSlots } = {},
) {
  const onAnswer = vi.fn<(answers: readonly Answer[]) => Promise<void> | void>()
  const { slots = {}, ...options } = more
  const backend = stillBackend({ inputs, onAnswer, ...options })
  render(inChat(backend, <MessageList />, { slots }))
  await settled()
  return { backend, onAnswer }
}

function button(name: string, index = 0): HTMLElement {
  const found = screen.getAllByRole('button', { name })[index]
  if (found === undefined) throw new Error(`No button ${name} at ${String(index)}.`)
  return found
}

describe('<QuestionCard>', () => {
  it('sends the chosen option with a note as the result of the call', async () => {
    const { onAnswer } = await show([replyStart(), ...asksUser([release])])
    await userEvent.click(screen.getByRole('radio', { name: /Beta/ }))
    await userEvent.type(screen.getByRole('textbox'), ' Until Friday ')
    await userEvent.click(button('Send answer'))
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith([
      {
        kind: 'external',
        id: expect.any(String),
        reply_id: 'reply-1',
        results: [
          {
            type: 'tool_result',
            id: 'q1',
            name: 'ask_user',
            output: 'Beta\nUntil Friday',
            state: 'success',
            metadata: { selected_option_id: 'beta', text: 'Until Friday' },
          },
        ],
      },
    ])
  })

  it('sends own words, and nothing while there are none', async () => {
    const { onAnswer } = await show([replyStart(), ...asksUser([release])])
    await userEvent.type(screen.getByRole('textbox'), '   {Enter}')
    await userEvent.click(button('Send answer'))
    expect(onAnswer).not.toHaveBeenCalled()
    await userEvent.type(screen.getByRole('textbox'), 'Neither{Enter}')
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({
      results: [{ output: 'Neither', metadata: { text: 'Neither' } }],
    })
  })

  it('says that the person gave no answer', async () => {
    const { onAnswer } = await show([replyStart(), ...asksUser([release])])
    await userEvent.click(screen.getByRole('radio', { name: /Beta/ }))
    await userEvent.click(button('Dismiss'))
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({
      results: [
        {
          output: 'The question was dismissed without an answer.',
          metadata: { dismissed: true },
        },
      ],
    })
  })

  it('answers each of several by itself where the backend takes that, and once', async () => {
    const { onAnswer } = await show([replyStart(), ...asksUser(twoQuestions)])
    expect(screen.getByText('2 of 2')).toBeVisible()
    await userEvent.type(screen.getAllByRole('textbox')[1] ?? document.body, 'Ada{Enter}{Enter}')
    expect(onAnswer).toHaveBeenCalledOnce()
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({ results: [{ id: 'q2' }] })
    expect(screen.getByText('Answered')).toBeVisible()
  })

  it('holds answers until all are given where it must, and lets them be changed until then', async () => {
    const { onAnswer } = await show([replyStart(), ...asksUser(twoQuestions)], {
      capabilities: { partialAnswers: false },
    })
    await userEvent.click(screen.getByRole('radio', { name: /Beta/ }))
    await userEvent.click(button('Send answer', 0))
    expect(screen.getByText('Goes out with the other answers')).toBeVisible()
    await userEvent.click(screen.getByRole('radio', { name: /Stable/ }))
    await userEvent.click(button('Send answer', 0))
    expect(onAnswer).not.toHaveBeenCalled()
    await userEvent.click(button('Dismiss', 1))
    expect(onAnswer).toHaveBeenCalledOnce()
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({
      results: [
        { id: 'q1', metadata: { selected_option_id: 'stable' } },
        { id: 'q2', metadata: { dismissed: true } },
      ],
    })
  })

  it('offers to send again what was not taken', async () => {
    const { onAnswer } = await show([replyStart(), ...asksUser([release])], {
      onAnswer: () => Promise.reject(new TransportError('rejected', '404')),
    })
    expect(onAnswer).not.toHaveBeenCalled()
    await userEvent.click(button('Dismiss'))
    await settled()
    expect(screen.getByRole('alert')).toHaveTextContent('Your answer was not sent.')
    expect(button('Dismiss')).not.toHaveAttribute('aria-disabled', 'true')
  })

  it('gives way to the answer once it is heard, and shows the same after a reload', async () => {
    const { backend } = await show([replyStart(), ...asksUser([release])])
    const result = toolResult('Beta', { id: 'q1', name: 'ask_user' })
    await say(backend, {
      type: 'EXTERNAL_EXECUTION_RESULT',
      id: 'echo',
      reply_id: 'reply-1',
      created_at: at(9),
      execution_results: [result],
    })
    expect(screen.queryByRole('radio')).toBeNull()
    expect(screen.getByText('Where to?')).toBeVisible()
    expect(screen.getByText('Beta')).toBeVisible()
  })

  it('shows from history what was asked and answered', async () => {
    const stored = reply([release, toolResult('Beta', { id: 'q1', name: 'ask_user' })])
    await show([], { messages: [stored] })
    expect(screen.getByText('Where to?')).toBeVisible()
    expect(screen.getByText('Beta')).toBeVisible()
  })

  it('says of several questions that the answer to each stands at the first', async () => {
    const ask = (index: number) =>
      toolCall(
        'ask_user',
        { question: `Question ${String(index)}?`, batch_index: index, batch_total: 2 },
        { id: `q${String(index)}` },
      )
    const said = (output: string, id: string) => toolResult(output, { id, name: 'ask_user' })
    const both = [ask(1), said('1. Yes\n2. No', 'q1'), ask(2), said('', 'q2')]
    await show([], { messages: [reply(both)] })
    expect(screen.getByText(/1. Yes/)).toBeVisible()
    expect(screen.getByText('Question 2?')).toBeVisible()
    expect(screen.getAllByText('Answered above')).toHaveLength(1)
  })

  it('asks again what history says was never answered', async () => {
    const call = { ...release, state: 'submitted' as const }
    const stored = reply([call], { finished_at: null, finished_reason: null })
    await show([], { messages: [stored] })
    expect(screen.getByRole('radiogroup', { name: 'Where to?' })).toBeVisible()
  })

  it('sends the answers to several questions of one call together', async () => {
    const call = toolCall(
      'ask_user',
      { questions: [{ question: 'Where to?', options: channels }, 'Called what?'] },
      { id: 'q1' },
    )
    const { onAnswer } = await show([replyStart(), ...asksUser([call])])
    await userEvent.click(screen.getByRole('radio', { name: /Beta/ }))
    await userEvent.type(screen.getAllByRole('textbox')[1] ?? document.body, 'Ada{Enter}')
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({
      results: [
        {
          output: 'Where to? Beta\nCalled what? Ada',
          metadata: { answers: [{ selected_option_id: 'beta' }, { text: 'Ada' }] },
        },
      ],
    })
  })

  it('offers nothing where the answer must be given elsewhere', async () => {
    const inputs = [replyStart(), ...asksUser([release])].map((input) =>
      input.type === 'REQUIRE_EXTERNAL_EXECUTION'
        ? { ...input, metadata: { answerable: false } }
        : input,
    )
    await show(inputs)
    expect(screen.getByText(/can’t be answered here/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull()
  })

  it.each([
    '',
    '{"question":',
    '[]',
    '{"options":[null,1,{"id":"a"}]}',
    '{"questions":[{"question":"A?"},7]}',
  ])('can be answered whatever was asked (%j)', async (input) => {
    const { onAnswer } = await show([
      replyStart(),
      ...asksUser([toolCall('ask_user', input, { id: 'q1' })]),
    ])
    for (const field of screen.getAllByRole('textbox')) await userEvent.type(field, 'yes{Enter}')
    expect(onAnswer).toHaveBeenCalledOnce()
  })

  it('leaves other tools of the app, and an app with a card of its own for it, alone', async () => {
    const Own = () => <p>our own</p>
    await show([replyStart(), ...asksUser([release, toolCall('locate', '{}', { id: 'l' })])], {
      slots: { tools: { ask_user: Own } },
    })
    expect(screen.getByText('our own')).toBeVisible()
    expect(screen.getByText('Waiting for the app')).toBeVisible()
    expect(screen.queryByRole('radio')).toBeNull()
  })

  it('answers a question that is not about a call, and is gone with its end', async () => {
    const { request } = inputRequest({ kind: 'choice', message: 'Which?', options: ['a', 'b'] })
    const { backend, onAnswer } = await show([replyStart(), request])
    await userEvent.click(screen.getByRole('radio', { name: 'b' }))
    await userEvent.click(button('Send answer'))
    await userEvent.click(button('Dismiss'))
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith([
      {
        kind: 'input',
        id: expect.any(String),
        request_id: 'input-1',
        action: 'submit',
        values: { selected_option_id: 'b' },
      },
    ])
    await say(backend, { type: 'kit.input_resolved', request_id: 'input-1' })
    expect(screen.queryByText('Which?')).toBeNull()
  })

  it('answers a form in the person’s own words', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const { request } = inputRequest({ kind: 'form', message: 'Who pays?', schema })
    const { onAnswer } = await show([replyStart(), request])
    await userEvent.type(screen.getByRole('textbox'), 'Ateliers Nord{Enter}')
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({ values: { text: 'Ateliers Nord' } })
  })

  it('declines a question that is not about a call', async () => {
    const { request } = inputRequest({ kind: 'url', message: 'Go?', url: 'https://a.example/x' })
    const { onAnswer } = await show([replyStart(), request])
    await userEvent.click(button('Dismiss'))
    expect(onAnswer.mock.calls[0]?.[0][0]).toMatchObject({ kind: 'input', action: 'decline' })
  })

  it('is told of by the chat beside approvals, and blocks the field as a request of the person', async () => {
    const inputs = [
      replyStart(),
      ...asksUser([release]),
      ...asking([toolCall('rm', '{}', { id: 'c' })]),
    ]
    const backend = stillBackend({
      inputs: inputs.map((one, index) => ({ ...one, id: String(index) })),
    })
    render(<AgentChat backend={backend} options={atOnce} />)
    await settled()
    const spoken = Array.from(document.querySelectorAll('[aria-live="assertive"] p'))
    expect(spoken.map((line) => line.textContent)).toEqual([
      '1 action needs your approval · 1 question for you',
    ])
    expect(screen.getByText(/Answer the request above first/)).toBeVisible()
  })
})
