import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ConfirmCard, ConfirmDialog, MessageList } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type {
  Answer,
  ConversationInput,
  JsonObject,
  ToolCallBlock,
} from '../../src/protocol/index.js'
import { at, rule, toolCall } from '../../stories/fixtures/blocks.js'
import { asking, replyStart } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import type { StillBackend } from '../../stories/fixtures/stillBackend.js'
import { inChat, say, settled } from './inChat.js'
import { askedFor } from './requests.js'

const removal = toolCall('delete_file', '{"path":"/a"}', { id: 't1' })
const mail = toolCall('send_mail', '{"to":"x"}', { id: 't2' })
const list = toolCall('ls', '', { id: 't3' })

/** The answers as they would go out, one array per request. */
function spyOn(answer: (answers: readonly Answer[]) => Promise<void> | void = () => undefined) {
  return vi.fn<(answers: readonly Answer[]) => Promise<void> | void>(answer)
}

async function showAsking(
  calls: readonly ToolCallBlock[],
  onAnswer: ReturnType<typeof spyOn>,
  capabilities: StillBackend['capabilities'] | Record<string, unknown> = {},
): Promise<StillBackend> {
  const backend = stillBackend({ inputs: [replyStart(), ...asking(calls)], onAnswer, capabilities })
  render(inChat(backend, <MessageList />))
  await settled()
  return backend
}

function results(onAnswer: ReturnType<typeof spyOn>, index = 0) {
  const answer = onAnswer.mock.calls[index]?.[0][0]
  return answer?.kind === 'confirm' ? answer.results : []
}

function button(name: string, index = 0): HTMLElement {
  const found = screen.getAllByRole('button', { name })[index]
  if (found === undefined) throw new Error(`No button ${name} at ${String(index)}.`)
  return found
}

describe('<ConfirmCard>', () => {
  it.each([
    ['Allow once', true],
    ['Deny', false],
  ])('sends one decision with the first click on %s', async (name, confirmed) => {
    const onAnswer = spyOn()
    await showAsking([removal], onAnswer)
    await userEvent.click(button(name))
    expect(onAnswer).toHaveBeenCalledOnce()
    expect(results(onAnswer)).toMatchObject([{ confirmed, tool_call: { id: 't1' } }])
  })

  it('sends the call back as it was asked, byte for byte', async () => {
    const onAnswer = spyOn()
    const input = '{ "path" : "/data/a", "n": 1.0, "big": 12345678901234567890 }'
    await showAsking([toolCall('write', input, { id: 't1' })], onAnswer)
    expect(screen.getByText(input)).toBeVisible()
    await userEvent.click(button('Allow once'))
    expect(results(onAnswer)[0]?.tool_call.input).toBe(input)
  })

  it.each(['', '   ', '{"city":"Par', '{"a":1}{"a":1}', '[1,2]', 'null', '{"__proto__":{"x":1}}'])(
    'can be answered whatever the arguments (%j)',
    async (input) => {
      const onAnswer = spyOn()
      await showAsking([toolCall('f', input, { id: 't1' })], onAnswer)
      await userEvent.click(button('Allow once'))
      expect(results(onAnswer)[0]?.tool_call.input).toBe(input)
    },
  )

  it('decides each of several calls by itself where the backend takes that', async () => {
    const onAnswer = spyOn()
    await showAsking([removal, mail, list], onAnswer)
    await userEvent.click(button('Deny', 1))
    expect(onAnswer).toHaveBeenCalledOnce()
    expect(results(onAnswer)).toMatchObject([{ confirmed: false, tool_call: { id: 't2' } }])
  })

  it('waits for all decisions of a reply where it must, and lets them be changed until then', async () => {
    const onAnswer = spyOn()
    await showAsking([removal, mail, list], onAnswer, { partialAnswers: false })
    await userEvent.click(button('Allow once', 0))
    await userEvent.click(button('Deny', 2))
    await userEvent.click(button('Deny', 0))
    await userEvent.click(button('Allow once', 0))
    expect(onAnswer).not.toHaveBeenCalled()
    expect(button('Allow once', 0)).toHaveAttribute('aria-pressed', 'true')
    expect(button('Deny', 2)).toHaveAttribute('aria-pressed', 'true')
    expect(button('Deny', 1)).not.toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(button('Allow once', 1))
    expect(onAnswer).toHaveBeenCalledOnce()
    expect(results(onAnswer).map(({ confirmed, tool_call: { id } }) => [id, confirmed])).toEqual([
      ['t1', true],
      ['t2', true],
      ['t3', false],
    ])
  })

  it('sends one request for two clicks in one tick, a held key, and two cards of one call', async () => {
    const onAnswer = spyOn(() => new Promise<void>(() => undefined))
    const backend = stillBackend({ inputs: [replyStart(), ...asking([removal])], onAnswer })
    render(
      inChat(
        backend,
        <>
          <MessageList />
          <ConfirmDialog open onOpenChange={() => undefined} />
        </>,
      ),
    )
    await settled()
    const inFlow = button('Allow once', 0)
    const inDialog = button('Allow once', 1)
    act(() => {
      inFlow.click()
      inFlow.click()
      inDialog.click()
    })
    for (let press = 0; press < 5; press += 1) {
      const wasRefused = !fireEvent.keyDown(inFlow, { key: 'Enter', repeat: true })
      expect(wasRefused).toBe(true)
    }
    await settled()
    expect(onAnswer).toHaveBeenCalledOnce()
    expect(inFlow).toHaveAttribute('aria-disabled', 'true')
    expect(inDialog).toHaveAttribute('aria-disabled', 'true')
    expect(screen.getAllByText('Sending your decision').length).toBeGreaterThan(0)
  })

  it('keeps the focus on the button while its decision is on its way', async () => {
    await showAsking(
      [removal],
      spyOn(() => new Promise<void>(() => undefined)),
    )
    await userEvent.click(button('Allow once'))
    expect(button('Allow once')).toHaveFocus()
  })

  it('says that a decision was not taken, and sends the same again', async () => {
    const onAnswer = spyOn()
    onAnswer.mockRejectedValueOnce(new TransportError('server', '500'))
    await showAsking([removal], onAnswer)
    await userEvent.click(button('Deny'))
    expect(await screen.findByText(/Your decision was not sent/)).toBeVisible()
    await userEvent.click(button('Try again'))
    await waitFor(() => expect(onAnswer).toHaveBeenCalledTimes(2))
    expect(onAnswer.mock.calls[1]?.[0]).toEqual(onAnswer.mock.calls[0]?.[0])
    expect(screen.queryByText(/Your decision was not sent/)).toBeNull()
  })

  it('folds the server’s own words of a refusal under what happened, as plain text', async () => {
    const detail = 'The call was <b>taken back</b>.'
    const onAnswer = spyOn(() =>
      Promise.reject(new TransportError('rejected', '410', { status: 410, detail })),
    )
    await showAsking([removal], onAnswer)
    await userEvent.click(button('Allow once'))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Your decision was not sent. The server refused this.')
    expect(screen.getByText(detail)).not.toBeVisible()
    await userEvent.click(screen.getByText('Details'))
    expect(screen.getByText(detail)).toBeVisible()
  })

  it.each([0, 1, 2])('offers %d suggested rules in words and sends those chosen', async (count) => {
    const rules = [rule('Bash', 'git commit:*'), rule('Bash', null)].slice(0, count)
    const onAnswer = spyOn()
    await showAsking(
      [toolCall('Bash', '{"command":"git"}', { id: 't1', suggested_rules: rules })],
      onAnswer,
    )
    const always = screen.queryByRole('button', { name: 'Always allow…' })
    expect(always === null).toBe(count === 0)
    if (always === null) return
    await userEvent.click(always)
    expect(screen.getByRole('checkbox', { name: 'Bash matching git commit:*' })).toBeChecked()
    for (const box of screen.queryAllByRole('checkbox', { name: 'Every use of Bash' })) {
      await userEvent.click(box)
    }
    await userEvent.click(button('Allow and remember'))
    expect(results(onAnswer)).toMatchObject([{ confirmed: true, rules }])
  })

  it('remembers nothing when no rule is chosen', async () => {
    const onAnswer = spyOn()
    await showAsking(
      [toolCall('Bash', '{}', { id: 't1', suggested_rules: [rule('Bash', null)] })],
      onAnswer,
    )
    await userEvent.click(button('Always allow…'))
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.click(button('Allow and remember'))
    expect(onAnswer).not.toHaveBeenCalled()
  })

  it('becomes the call’s own row once it is answered, here or elsewhere', async () => {
    const backend = await showAsking([removal], spyOn())
    const echo: ConversationInput = {
      type: 'USER_CONFIRM_RESULT',
      id: 'echo',
      reply_id: 'reply-1',
      confirm_results: [{ confirmed: false, tool_call: { ...removal, state: 'asking' } }],
      created_at: at(9),
    }
    await say(backend, echo)
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull()
    expect(screen.getByText('Denied')).toBeVisible()
  })

  it('names the tool as the call’s row will, and exactly only once', async () => {
    await showAsking([mail], spyOn())
    expect(screen.getByRole('heading', { name: 'Allow “Send mail”?' })).toBeVisible()
    expect(screen.getAllByText(/send_mail/)).toHaveLength(1)
  })

  it('names the sub-agent that asks', () => {
    const request = askedFor(removal, {
      worker: { sessionId: 's2', agentId: 'a2', agentName: 'Researcher' },
    })
    render(inChat(stillBackend(), <ConfirmCard request={request} />))
    expect(screen.getByText('Asked by Researcher')).toBeVisible()
  })

  it('only says that it waits when the app is to run the call', () => {
    const request = askedFor(toolCall('open_map', {}), { kind: 'external' })
    render(inChat(stillBackend(), <ConfirmCard request={request} />))
    expect(screen.getByText('Waiting for the app to run “open_map”.')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('<ConfirmCard> with what the asking event said', () => {
  async function showWith(metadata: JsonObject, call: ToolCallBlock = removal) {
    const onAnswer = spyOn()
    const inputs = [replyStart(), ...asking([call])].map((input) =>
      input.type === 'REQUIRE_USER_CONFIRM' ? { ...input, metadata } : input,
    )
    const backend = stillBackend({ inputs, onAnswer, capabilities: { denyReason: 'plan' } })
    render(inChat(backend, <MessageList />))
    await settled()
    return onAnswer
  }

  it('offers nothing where it cannot be decided from here', async () => {
    await showWith({ answerable: false })
    expect(screen.getByText(/can’t be answered here/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull()
  })

  it('sends a plan back with the person’s note, and approves it with one', async () => {
    const plan = { kind: 'plan', preview: { plan_content: '1. **Begin**' } }
    const onAnswer = await showWith(plan)
    expect(screen.getByRole('group', { name: 'Approve this plan?' })).toBeVisible()
    expect(screen.getByText('Begin').tagName).toBe('STRONG')
    await userEvent.type(screen.getByRole('textbox'), 'Not yet{Enter}please')
    await userEvent.click(button('Reject'))
    expect(results(onAnswer)).toEqual([
      { confirmed: false, tool_call: expect.anything(), reason: 'Not yet\nplease' },
    ])
  })

  it('takes no note where the backend would lose it', async () => {
    await showWith({ preview: { command: 'rm /a' } })
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it.each([
    [{ type: 'tool', summary: 'delete_file' }],
    [null],
    ['x'],
    [{ edit_context: { old: 'x', new: [1, null, { content: 2 }] }, command: 7 }],
    [{ edit_context: [] }],
  ])('shows every argument, whatever the preview (%j)', async (preview) => {
    await showWith({ preview })
    expect(screen.getByText('/a')).toBeInTheDocument()
    expect(button('Allow once')).toBeVisible()
  })
})
