import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { MessageList } from '../../src/components/index.js'
import type { MessageProps } from '../../src/components/index.js'
import { createSpeaker } from '../../src/components/message-list/createSpeaker.js'
import { englishMarkdownWords as words } from '../../src/i18n/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { TextBlock, UserInput } from '../../src/protocol/index.js'
import { at, reply, text, toolCall, userMsg } from '../../stories/fixtures/blocks.js'
import { asking, openText, replyEnd, replyStart, textDelta } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import type { StillBackend, StillBackendOptions } from '../../stories/fixtures/stillBackend.js'
import { inChat, say, settled } from './inChat.js'

async function show(options: StillBackendOptions = {}): Promise<StillBackend> {
  const backend = stillBackend(options)
  render(inChat(backend, <MessageList suggestions={['One', 'Two', 'Three', 'Four', 'Five']} />))
  await settled()
  return backend
}

function spoken(how: 'polite' | 'assertive'): string {
  const regions = document.querySelectorAll(`.as-sr-only > [aria-live="${how}"]`)
  return Array.from(regions, (region) => region.textContent).join('|')
}

const ignore = { ignore: '.as-sr-only *' }

describe('<MessageList>', () => {
  it('greets when nothing was said, and sends one of at most four suggestions', async () => {
    const onSend = vi.fn<(input: UserInput) => void>()
    await show({ onSend })
    expect(screen.getByText('What can I do for you?')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Five' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Two' }))
    expect(onSend.mock.calls[0]?.[0]?.[0]?.content).toMatchObject([{ type: 'text', text: 'Two' }])
    expect(screen.queryByRole('button', { name: 'One' })).toBeNull()
  })

  it('keeps a message that was refused behind what was said meanwhile, with its offers in sight', async () => {
    const refusal = new TransportError('conflict', 'busy', { status: 409 })
    const onSend = vi.fn<() => Promise<void>>()
    onSend.mockRejectedValueOnce(refusal)
    const backend = await show({ onSend })
    await userEvent.click(screen.getByRole('button', { name: 'Two' }))
    await say(backend, replyStart(), ...openText('To the other tab.'), replyEnd())
    const speakers = (): readonly (string | null)[] =>
      screen.getAllByRole('article').map((one) => one.getAttribute('aria-label'))
    expect(speakers()).toEqual(['Message from Friday', 'Message from You'])
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(onSend).toHaveBeenCalledTimes(2)
    await say(backend, replyStart('reply-2'), ...openText('To you.', 'reply-2', 'b'))
    expect(speakers()).toEqual(['Message from Friday', 'Message from You', 'Message from Friday'])
  })

  it('is a named log that does not read out token after token', async () => {
    await show({ messages: [userMsg('Hello')] })
    const log = screen.getByRole('log', { name: 'Conversation' })
    expect(log).toHaveAttribute('aria-live', 'off')
    expect(log).toHaveAttribute('tabindex', '0')
  })

  it('renders no message before the last one when a reply begins, is written and ends', async () => {
    const backend = stillBackend({
      messages: [userMsg('Hello'), reply([text('Hi.')]), userMsg('Go on', { id: 'user-2' })],
    })
    const rendered: string[] = []
    const Counted = ({ message }: MessageProps): null => {
      rendered.push(message.id)
      return null
    }
    render(inChat(backend, <MessageList />, { slots: { Message: Counted } }))
    await settled()
    expect(new Set(rendered)).toEqual(new Set(['user-1', 'reply-1', 'user-2']))
    rendered.length = 0
    await say(backend, replyStart('reply-9'), ...openText('One', 'reply-9', 'b'))
    await say(backend, textDelta(' two', 'reply-9', 'b'))
    await say(backend, replyEnd('reply-9'))
    // The second question learns that it is no longer the last message.
    expect(new Set(rendered)).toEqual(new Set(['user-2', 'reply-9']))
  })

  it('reads out whole sentences of an answer that is being written, and its rest at the end', async () => {
    const backend = await show({ messages: [userMsg('Hello')] })
    await say(backend, replyStart(), ...openText('First one. Second'))
    expect(spoken('polite')).toBe('First one.')
    await say(backend, textDelta(' one. **Thi'))
    expect(spoken('polite')).toBe('First one.Second one.')
    await say(backend, textDelta('rd**'), replyEnd())
    expect(spoken('polite')).toBe('First one.Second one.Third')
  })

  it('does not read out what was there before', async () => {
    await show({ messages: [userMsg('Hello'), reply([text('An old answer.')])] })
    expect(screen.getByText('An old answer.')).toBeVisible()
    expect(spoken('polite')).toBe('')
  })

  it('says at once that something waits for the person, and that an answer broke off', async () => {
    const backend = await show()
    await say(backend, replyStart(), ...asking([toolCall('Bash', { command: 'ls' })]))
    expect(spoken('assertive')).toBe('1 action needs your approval')
    await say(backend, replyStart('r2'), ...openText('Hm', 'r2', 'b2'), {
      type: 'REPLY_END',
      id: 'r2-end',
      reply_id: 'r2',
      finished_reason: 'error',
      error: { type: 'upstream', message: '502' },
      created_at: at(20),
    })
    expect(spoken('assertive')).toContain('The model’s service failed.')
  })

  it('no longer says that something waits once it was answered', async () => {
    const call = toolCall('Bash', { command: 'ls' })
    const backend = await show({ inputs: [replyStart(), ...asking([call])] })
    expect(spoken('assertive')).toBe('1 action needs your approval')
    await say(backend, {
      type: 'USER_CONFIRM_RESULT',
      id: 'echo',
      reply_id: 'reply-1',
      confirm_results: [{ confirmed: true, tool_call: call }],
      created_at: at(9),
    })
    expect(spoken('assertive')).toBe('')
  })

  it('shows what waits for a sub-agent at the end, where no message has it', async () => {
    await show({
      inputs: [
        {
          type: 'CUSTOM',
          id: 'custom',
          name: 'subagent_require_user_confirm',
          value: {
            worker_session_id: 's2',
            worker_agent_id: 'a2',
            worker_agent_name: 'Researcher',
            reply_id: 'w1',
            event_type: 'require_user_confirm',
            event: {
              type: 'REQUIRE_USER_CONFIRM',
              id: 'ask',
              reply_id: 'w1',
              tool_calls: [
                {
                  type: 'tool_call',
                  id: 'w',
                  name: 'Bash',
                  input: '{}',
                  state: 'asking',
                  suggested_rules: [],
                },
              ],
            },
          },
        },
      ],
    })
    expect(screen.getByText('Asked by Researcher')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Allow once' })).toBeVisible()
  })

  it('shows a question about calls whose beginning was lost on the way', async () => {
    const call = (id: string) => ({ ...toolCall('Bash', { command: id }), id })
    await show({
      inputs: [
        replyStart('r1'),
        {
          type: 'REQUIRE_USER_CONFIRM',
          id: 'ask',
          reply_id: 'r1',
          tool_calls: [call('t1'), call('t2')].map((block) => ({ ...block, state: 'asking' })),
        },
      ],
    })
    expect(screen.getAllByRole('button', { name: 'Allow once' })).toHaveLength(2)
  })

  it('offers a failed message for another try, or to be given up', async () => {
    const onSend = vi
      .fn<() => Promise<void>>()
      .mockRejectedValue(new TransportError('offline', 'x'))
    await show({ onSend })
    await userEvent.click(screen.getByRole('button', { name: 'One' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(onSend).toHaveBeenCalledTimes(2)
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByText('Not sent.', { exact: false })).toBeNull())
  })

  it('lets the agent go on after its limit of rounds, from the last reply only', async () => {
    const onSend = vi.fn<(input: UserInput) => void>()
    const stopped = { finished_reason: 'exceed_max_iters' } as const
    await show({
      onSend,
      messages: [
        reply([text('a')], { id: 'r1', ...stopped }),
        reply([text('b')], { id: 'r2', ...stopped }),
      ],
    })
    const buttons = screen.getAllByRole('button', { name: 'Continue' })
    expect(buttons).toHaveLength(1)
    await act(async () => buttons[0]?.click())
    expect(onSend).toHaveBeenCalledWith(null)
  })

  it('says that going on did not go through, and tries it again', async () => {
    const onSend = vi.fn<(input: UserInput) => Promise<void>>().mockResolvedValue()
    onSend.mockRejectedValueOnce(new TransportError('server', '500'))
    await show({ onSend, messages: [reply([text('a')], { finished_reason: 'exceed_max_iters' })] })
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(/Not sent/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(onSend).toHaveBeenCalledTimes(2))
    expect(onSend.mock.calls).toEqual([[null], [null]])
  })

  it('says that history could not be read, and reads it again', async () => {
    const backend = stillBackend({ messages: [userMsg('Hello')] })
    const history = vi
      .fn<NonNullable<StillBackend['history']>>()
      .mockRejectedValueOnce(new TransportError('server', '500'))
      .mockImplementation((page) => backend.history?.(page) ?? Promise.reject(new Error('none')))
    render(inChat({ ...backend, history }, <MessageList />))
    await settled()
    expect(screen.getByText(/Earlier messages could not be loaded/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Hello')).toBeVisible()
  })

  it('loads older messages on demand', async () => {
    const messages = [userMsg('Oldest', { id: 'u1' }), userMsg('Newest', { id: 'u2' })]
    await show({ messages, pageSize: 1 })
    expect(screen.queryByText('Oldest')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Load earlier messages' }))
    expect(await screen.findByText('Oldest')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Load earlier messages' })).toBeNull()
  })

  it('says that work goes on while nothing moves, and stops saying so with the reply', async () => {
    const backend = await show({ messages: [userMsg('Hello')], isRunning: true })
    await say(backend, replyStart(), {
      type: 'MODEL_CALL_START',
      id: 'model',
      reply_id: 'reply-1',
      model_name: 'm',
      created_at: at(1),
    })
    expect(screen.getByText('Working')).toBeInTheDocument()
    await say(backend, ...openText('Hi'))
    expect(screen.getByText('Hi', ignore)).toBeVisible()
    expect(screen.queryByText('Working')).toBeNull()
    await say(backend, replyEnd('reply-1', { finished_reason: 'interrupted' }))
    expect(screen.queryByText('Working')).toBeNull()
    expect(screen.getByText('Stopped.', ignore)).toBeVisible()
    expect(document.querySelector('[aria-busy="true"], [role="progressbar"]')).toBeNull()
  })
})

describe('createSpeaker', () => {
  const blocks = (...written: readonly string[]): readonly TextBlock[] =>
    written.map((one) => text(one))
  const row = '| a cell | another cell |\n'

  it.each([
    ['', false, ''],
    ['Half a sen', false, ''],
    ['One. Two', false, 'One.'],
    ['One! Two? Thr', false, 'One! Two?'],
    ['Version 2.0 is', false, ''],
    ['你好。再见', false, '你好。'],
    ['A paragraph\n\nand', false, 'A paragraph'],
    ['# Title\n\n**Bold** and [link](https://x.example).', true, 'Title Bold and link.'],
    ['Look:\n\n```js\nlet a. b\n\nlet c\n', false, 'Look: Code, js'],
    ['Look:\n\n```js\nlet a\n```\n\nDone. ', false, 'Look: Code, js Done.'],
    ['````\n```\nOne. Two.\n```js\n````\nOut', true, 'Code Out'],
    ['1. ```sh\n   ls\n   ```\n2. Then', true, 'Code, sh 2. Then'],
    ['```js\nlet a', true, 'Code, js'],
    ['``` is a fence.', false, ''],
    ['```two``` words. ', true, 'two words.'],
    [`Rows:\n${row}| - | - |\n${row}\nAfter. `, false, 'Rows: Table After.'],
    [row.repeat(9), true, 'Table'],
  ])('takes from %j (done: %j) the words %j', (written, isDone, heard) => {
    expect(createSpeaker(words, [])(blocks(written), isDone)).toBe(heard)
  })

  it('says everything once, however the text is cut', () => {
    const whole = `One. Two! Three? 四。\n\n- ~~~py\n  a. b\n  ~~~\n- Five\n\n${row}${row}\n> \`\`\`\n> x\n> \`\`\`\nSix`
    const heard = createSpeaker(words, [])(blocks(whole), true)
    expect(heard).toBe('One. Two! Three? 四。 Code, py - Five Table Code Six')
    for (let step = 1; step < whole.length; step += 1) {
      const speaker = createSpeaker(words, [])
      const parts: string[] = []
      for (let end = 0; end < whole.length; end += step) {
        parts.push(speaker(blocks(whole.slice(0, end)), false))
      }
      parts.push(speaker(blocks(whole), true))
      expect(parts.join(' ').replaceAll(/\s+/g, ' ').trim()).toBe(heard)
    }
  })

  it('goes on in the next text, and passes over what was known', () => {
    const speaker = createSpeaker(words, blocks('Old. ', 'Old too. ```'))
    expect(speaker(blocks('Old. ', 'Old too. ```\nNew. And'), false)).toBe('New.')
    expect(speaker(blocks('Old. ', 'Old too. ```\nNew. And', 'An', 'End'), true)).toBe('And An End')
  })

  it.each(['word ', '| cell ', 'x', '[](', '。]'])(
    'keeps nothing back for long in a line of %j without an end',
    (piece) => {
      const speaker = createSpeaker(words, [])
      let whole = ''
      let longest = 0
      for (let count = 0; count < 2000; count += 1) {
        whole += piece
        longest = Math.max(longest, speaker(blocks(whole), false).length)
      }
      expect(longest).toBeLessThan(500)
      expect(speaker(blocks(whole), true).length).toBeLessThan(500)
    },
  )
})
