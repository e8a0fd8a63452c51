import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { AgentChat, ToolCallCard } from '../../src/components/index.js'
import type { ComposerProps, ToolCallCardProps } from '../../src/components/index.js'
import { extendWords, zh } from '../../src/i18n/index.js'
import { TransportError } from '../../src/protocol/index.js'
import { reply, text, toolCall, toolResult, userMsg } from '../../stories/fixtures/blocks.js'
import { asking, openText, replyStart } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { atOnce, say, settled } from './inChat.js'

const talk = [
  userMsg('Weather?'),
  reply([toolCall('get_weather', { city: 'Lisbon' }), toolResult('sunny'), text('Sunny.')]),
]

describe('<AgentChat>', () => {
  it('renders on a server, without inline styles, and connects nothing', () => {
    const backend = stillBackend({ messages: talk })
    const open = vi.spyOn(backend, 'open')
    const html = renderToString(<AgentChat backend={backend} />)
    expect(html).toContain('data-as-part="agent-chat"')
    expect(html).toContain('<textarea')
    expect(html).not.toMatch(/ style="|<style/)
    expect(open).not.toHaveBeenCalled()
  })

  it('shows a conversation, also under StrictMode, with nothing reported to the console', async () => {
    const errors = vi.spyOn(console, 'error')
    render(<AgentChat options={atOnce} backend={stillBackend({ messages: talk })} />, {
      wrapper: StrictMode,
    })
    await settled()
    expect(await screen.findByText('Sunny.')).toBeVisible()
    expect(errors).not.toHaveBeenCalled()
    errors.mockRestore()
  })

  it('speaks Chinese, with the app’s own words in place of some', async () => {
    const words = extendWords(zh, { composer: { placeholder: '问点什么' } })
    render(<AgentChat options={atOnce} backend={stillBackend()} words={words} />)
    await settled()
    expect(screen.getByPlaceholderText('问点什么')).toBeVisible()
    expect(screen.getByRole('textbox', { name: '消息' })).toBeVisible()
    expect(screen.getByText('有什么可以帮你？')).toBeVisible()
  })

  it('takes an app’s own pieces: one tool’s card, all cards, the composer', async () => {
    const slots = {
      tools: { get_weather: ({ call }: ToolCallCardProps) => <p>own card for {call?.name}</p> },
      ToolCallCard: (props: ToolCallCardProps) => <ToolCallCard {...props} data-mine="" />,
      Composer: ({ placeholder }: ComposerProps) => <p>own field: {placeholder}</p>,
    }
    const messages = [...talk, reply([toolCall('Bash', { command: 'ls' })], { id: 'r2' })]
    render(
      <AgentChat
        options={atOnce}
        backend={stillBackend({ messages })}
        slots={slots}
        placeholder="Ask"
      />,
    )
    await settled()
    expect(await screen.findByText('own card for get_weather')).toBeVisible()
    expect(document.querySelectorAll('[data-mine]')).toHaveLength(1)
    expect(screen.getByText('own field: Ask')).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('begins with a text, and tells its changes', async () => {
    const onTextChange = vi.fn<(text: string) => void>()
    const draft = { defaultText: 'Hello', onTextChange }
    render(<AgentChat options={atOnce} backend={stillBackend()} {...draft} />)
    await settled()
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello')
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), '!')
    expect(onTextChange.mock.calls).toEqual([['Hello!']])
  })

  it('asks in a dialog that opens by itself, and again after it was closed and another question comes', async () => {
    const backend = stillBackend()
    render(<AgentChat options={atOnce} backend={backend} approvals="dialog" />)
    await settled()
    await say(backend, replyStart(), ...asking([toolCall('f', {}, { id: 'one' })]))
    expect(await screen.findByRole('dialog')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Review' }))
    expect(await screen.findByRole('dialog')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    await say(backend, replyStart('r2'), ...asking([toolCall('g', {}, { id: 'two' })], 'r2'))
    expect(
      await screen.findByRole('dialog', { name: '2 actions need your approval' }),
    ).toBeVisible()
  })

  it('says that a stop did not go through', async () => {
    const backend = stillBackend({ isRunning: true })
    const interrupt = vi
      .fn<() => Promise<void>>()
      .mockRejectedValue(new TransportError('server', '500'))
    render(<AgentChat options={atOnce} backend={{ ...backend, interrupt }} />)
    await settled()
    await say(backend, replyStart(), ...openText('Hi'))
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The server failed.')
  })

  it.each([
    ['not-found', /was not found.*deleted.*address is wrong/],
    ['unauthorized', /not signed in/],
  ] as const)('says once that nothing was reached (%s), with one way on', async (reason, why) => {
    const cause = new TransportError(reason, 'no')
    const backend = stillBackend({ connection: { phase: 'failed', cause } })
    const history = (): Promise<never> => Promise.reject(cause)
    render(<AgentChat options={atOnce} backend={{ ...backend, history }} />)
    await settled()
    expect(screen.getAllByText(why)).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Retry now' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('keeps a nested provider’s conversation when it is given no backend', () => {
    expect(() => renderToString(<AgentChat />)).toThrow(
      /No conversation here.*AgentStreamProvider.*pass `backend` to <AgentChat>/,
    )
  })
})
