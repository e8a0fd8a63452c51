import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { RenderResult } from '@testing-library/react'
import type { ReactElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ChatRoot, Message, TextView } from '../../src/components/index.js'
import type { TextViewProps } from '../../src/components/index.js'
import { appendEvent } from '../../src/fold/index.js'
import {
  AssistantMsg,
  parseEvent,
  parseMessages,
  TransportError,
} from '../../src/protocol/index.js'
import type { Msg } from '../../src/protocol/index.js'
import {
  reply,
  text,
  thinking,
  toolCall,
  toolResult,
  userMsg,
} from '../../stories/fixtures/blocks.js'

/** React reports keys that repeat, and markup that cannot nest, to the console. */
function renderCleanly(element: ReactElement): RenderResult {
  const errors = vi.spyOn(console, 'error')
  const result = render(element)
  expect(errors).not.toHaveBeenCalled()
  errors.mockRestore()
  return result
}

function fold(events: readonly object[]): Msg {
  return events.reduce<Msg>(
    (message, event) => {
      const { event: known } = parseEvent(event)
      return known === undefined ? message : appendEvent(message, known)
    },
    AssistantMsg({ name: 'bot', content: [], id: 'r1' }),
  )
}

describe('<Message>', () => {
  it('shows a word in place of files that were not kept, with what can be done', () => {
    const error = new TransportError('not-kept', 'Too large.')
    const send = { phase: 'failed', error, isSure: true } as const
    const onEdit = vi.fn<() => void>()
    const shown = userMsg('', { content: [] })
    const { rerender } = renderCleanly(<Message message={shown} send={send} onEdit={onEdit} />)
    expect(screen.getByText('Attachments')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('attach its files again')
    rerender(<Message message={userMsg('And this?')} send={send} onEdit={onEdit} />)
    expect(screen.queryByText('Attachments')).toBeNull()
    rerender(<Message message={shown} />)
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('shows a text, a thought, a call and its result that share one id', () => {
    const base = { reply_id: 'r1' }
    const message = fold([
      { ...base, type: 'THINKING_BLOCK_START', block_id: 'x' },
      { ...base, type: 'THINKING_BLOCK_DELTA', block_id: 'x', delta: 'think' },
      { ...base, type: 'TEXT_BLOCK_START', block_id: 'x' },
      { ...base, type: 'TEXT_BLOCK_DELTA', block_id: 'x', delta: 'say' },
      { ...base, type: 'TOOL_CALL_START', tool_call_id: 'x', tool_call_name: 'f' },
      { ...base, type: 'TOOL_RESULT_START', tool_call_id: 'x', tool_call_name: 'f' },
      { ...base, type: 'TOOL_RESULT_TEXT_DELTA', tool_call_id: 'x', delta: 'out' },
      { ...base, type: 'TEXT_BLOCK_START', block_id: 'x' },
    ])
    const { container } = renderCleanly(<Message message={message} phase="running" />)
    const parts = Array.from(container.querySelectorAll('[data-as-part="message-body"] > *'))
    expect(parts.map((part) => part.getAttribute('data-as-part'))).toEqual([
      'thinking-panel',
      'text-view',
      'tool-call-card',
    ])
    expect(screen.getByText('say')).toBeVisible()
  })

  it('shows sparse stored messages without empty bubbles', () => {
    const { messages } = parseMessages([
      { id: 'm1', role: 'assistant', name: 'bot', content: null },
      {
        id: 'm2',
        role: 'assistant',
        name: 'bot',
        content: [
          null,
          { type: 'text', id: 'b1', text: null },
          { type: 'text', id: 'b2', text: 'ok' },
        ],
      },
      { id: 'm3', role: 'assistant', name: 'bot', content: 'plain string' },
      {
        id: 'm4',
        role: 'assistant',
        name: 'bot',
        content: [
          { type: 'tool_call', id: 't1', name: 'f', input: null, state: 'finished' },
          { type: 'tool_result', id: 't1', name: 'f', output: 'str', state: 'success' },
        ],
      },
      {
        id: 'm5',
        role: 'assistant',
        name: 'bot',
        content: [
          { type: 'tool_result', id: 't2', name: 'g', output: null, state: 'success' },
          { type: 'hologram', id: 'h1' },
        ],
      },
      { id: 'm6', role: 'system', name: 'system' },
      {
        id: 'm7',
        role: 'assistant',
        name: 'bot',
        content: [{ type: 'thinking', id: 'k1', thinking: '', redacted_thinking_data: 'zzz' }],
      },
    ])
    renderCleanly(
      <>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </>,
    )
    expect(screen.getByText('ok')).toBeVisible()
    expect(screen.getByText('plain string')).toBeVisible()
    expect(screen.getByText('This part can’t be shown here.')).toBeVisible()
    for (const bubble of document.querySelectorAll('[data-as-part="text-view"]')) {
      expect(bubble).not.toBeEmptyDOMElement()
    }
    expect(document.querySelector('[data-as-part="thinking-panel"]')).toBeNull()
  })

  describe('copying', () => {
    const blocks = [
      thinking('secret plan'),
      text('# Title\n\nFirst[^1] line.\n\n```js\nconst a = arr[1]\n\nlet b\n```\n'),
      toolCall('f', '{}'),
      toolResult('out'),
      text('- x\n- y\n\n[^1]: src'),
    ]

    it('takes the text blocks, joined by a blank line, byte for byte', async () => {
      const user = userEvent.setup()
      render(<Message message={reply(blocks)} />)
      await user.click(screen.getByRole('button', { name: 'Copy message' }))
      await expect(navigator.clipboard.readText()).resolves.toBe(
        '# Title\n\nFirst[^1] line.\n\n```js\nconst a = arr[1]\n\nlet b\n```\n\n\n- x\n- y\n\n[^1]: src',
      )
      expect(await screen.findByText('Copied')).toBeVisible()
    })

    it('takes the raw text so far while more is coming', async () => {
      const user = userEvent.setup()
      const message = reply([text('half **bol', { finished_at: null })], { finished_at: null })
      render(<Message message={message} phase="running" />)
      await user.click(screen.getByRole('button', { name: 'Copy message' }))
      await expect(navigator.clipboard.readText()).resolves.toBe('half **bol')
    })

    it('says so when the browser refuses', async () => {
      const user = userEvent.setup()
      vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('denied'))
      render(<Message message={reply(blocks)} />)
      await user.click(screen.getByRole('button', { name: 'Copy message' }))
      expect(await screen.findByText('Copying failed')).toBeVisible()
      expect(screen.queryByText('Copied')).toBeNull()
    })
  })

  it('renders only the block that changes', async () => {
    const counts = new Map<string, number>()
    function Counted(props: TextViewProps) {
      counts.set(props.block.id, (counts.get(props.block.id) ?? 0) + 1)
      return <TextView {...props} />
    }
    const slots = { Text: Counted }
    const settled = text('settled', { id: 'a' })
    const growing = (value: string): Msg => ({
      ...reply([]),
      content: [settled, text(value, { id: 'b', finished_at: null })],
    })
    const { rerender } = render(
      <ChatRoot slots={slots}>
        <Message message={growing('o')} phase="running" />
      </ChatRoot>,
    )
    for (const value of ['on', 'one', 'one ', 'one t', 'one two']) {
      rerender(
        <ChatRoot slots={slots}>
          <Message message={growing(value)} phase="running" />
        </ChatRoot>,
      )
    }
    await waitFor(() => expect(screen.getByText('one two')).toBeVisible())
    expect(counts.get('a')).toBe(1)
    expect(counts.get('b')).toBe(6)
  })

  it('shows the person’s words as they were typed, also when they look like markup', () => {
    render(<Message message={userMsg('**not bold**\n<b>not bold</b>')} />)
    expect(screen.getByText(/\*\*not bold\*\*/)).toBeVisible()
    expect(document.querySelector('b, strong')).toBeNull()
  })

  it('says that parts of a reply are missing, as long as they are', () => {
    const { rerender } = renderCleanly(
      <ChatRoot>
        <Message message={reply([text('Half of it')])} phase="running" isComplete={false} />
      </ChatRoot>,
    )
    expect(screen.getByRole('article')).toHaveAttribute('data-incomplete')
    expect(screen.getByText(/Parts of this reply were lost/)).toBeVisible()
    rerender(
      <ChatRoot>
        <Message message={reply([text('All of it')])} />
      </ChatRoot>,
    )
    expect(screen.getByRole('article')).not.toHaveAttribute('data-incomplete')
    expect(screen.queryByText(/Parts of this reply were lost/)).toBeNull()
  })

  it('offers nothing to go on with unless it may', () => {
    const message = reply([], { finished_reason: 'exceed_max_iters' })
    const onContinue = vi.fn<() => void>()
    const { rerender } = render(<Message message={message} />)
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
    rerender(<Message message={message} onContinue={onContinue} />)
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(onContinue).toHaveBeenCalledOnce()
  })
})
