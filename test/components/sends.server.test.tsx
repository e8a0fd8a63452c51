import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { agentServiceBackend } from '../../src/backends/index.js'
import { AgentChat } from '../../src/components/index.js'
import type { JsonObject } from '../../src/protocol/index.js'
import { UserMsg } from '../../src/protocol/index.js'
import { startChatServer } from '../hooks/startChatServer.js'
import type { ChatServer } from '../hooks/startChatServer.js'
import { parkedReply, replyEnd, textReply, textStart, replyStart } from '../store/events.js'
import { atOnce } from './inChat.js'

async function show(server: ChatServer): Promise<HTMLElement> {
  const backend = agentServiceBackend({ baseUrl: server.url, agentId: 'a1', sessionId: 's1' })
  render(<AgentChat options={atOnce} backend={backend} />)
  await waitFor(() => expect(server.streams.now).toBe(1))
  return screen.findByRole('textbox')
}

function ids({ posts }: ChatServer): unknown[] {
  return posts.map(({ input }) => (isMessage(input) ? input['id'] : input))
}

function isMessage(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && 'id' in value
}

describe('what a person sends over HTTP', () => {
  it('is posted once for two submits in one tick, a held key and a double click', async () => {
    const server = await startChatServer()
    const field = await show(server)
    const send = screen.getByRole('button', { name: 'Send' })
    await userEvent.type(field, 'Hello')
    act(() => {
      // One tick: nothing is rendered between the two.
      send.click()
      send.click()
    })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13, repeat: true })
    await waitFor(() => expect(server.posts).toHaveLength(1))
    server.emit(textReply('r1', 'Hi'))
    await waitFor(() => expect(screen.getAllByText('Hi').length).toBeGreaterThan(0))
    await userEvent.type(field, 'Again')
    await userEvent.dblClick(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(server.posts).toHaveLength(2))
    expect(screen.getAllByText('Hello')).toHaveLength(1)
  })

  it('fails in sight with 500, and goes out once more for two clicks on "Try again"', async () => {
    const server = await startChatServer()
    const field = await show(server)
    server.statuses.push(500)
    await userEvent.type(field, 'Hello{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Not sent. The server failed.')
    await userEvent.dblClick(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(server.posts).toHaveLength(2))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(new Set(ids(server)).size).toBe(1)
  })

  it('cannot be sent again unchanged when the server calls it wrong, but can be edited', async () => {
    const server = await startChatServer()
    const field = await show(server)
    server.statuses.push(422)
    await userEvent.type(field, 'Hello{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('The server refused this.')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    expect(field).toHaveValue('Hello')
    expect(field).toHaveFocus()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('article', { name: 'Message from You' })).toBeNull()
  })

  it('refused while the agent is busy waits in sight, and is sent when the answer is done', async () => {
    const server = await startChatServer()
    const field = await show(server)
    server.statuses.push(409)
    await userEvent.type(field, 'Hello{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('busy with another answer')
    server.emit([replyStart('r0'), textStart('r0', 't')])
    server.isRunning = true
    await screen.findByRole('button', { name: 'Stop' })
    await userEvent.click(screen.getByRole('button', { name: 'Send when the answer is done' }))
    const message = screen.getByRole('article', { name: 'Message from You' })
    expect(within(message).getByRole('status')).toHaveTextContent(
      'Goes out when the answer is done.',
    )
    expect(message).toHaveAttribute('data-send', 'held')
    expect(server.posts).toHaveLength(1)
    server.isRunning = false
    server.emit([replyEnd('r0')])
    await waitFor(() => expect(server.posts).toHaveLength(2), { timeout: 5_000 })
    expect(new Set(ids(server)).size).toBe(1)
  })

  it('can wait from the start, and be edited or given up while it does', async () => {
    const server = await startChatServer()
    const field = await show(server)
    server.isRunning = true
    server.emit([replyStart('r0'), textStart('r0', 't')])
    await screen.findByRole('button', { name: 'Stop' })
    await userEvent.type(field, 'Later{Enter}')
    expect(server.posts).toHaveLength(0)
    await userEvent.click(screen.getByRole('button', { name: 'Send when the answer is done' }))
    expect(field).toHaveValue('')
    expect(field).toHaveFocus()
    await userEvent.type(field, 'and more')
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    expect(field).toHaveValue('Later\n\nand more')
    await userEvent.type(field, '{Enter}')
    await userEvent.click(screen.getByRole('button', { name: 'Send when the answer is done' }))
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.queryByRole('article', { name: 'Message from You' })).toBeNull()
    server.isRunning = false
    server.emit([replyEnd('r0')])
    await screen.findByRole('button', { name: 'Send' })
    expect(server.posts).toHaveLength(0)
  })

  it('stays in the field when the agent parks while it is typed; the way leads to the request', async () => {
    const server = await startChatServer()
    const field = await show(server)
    await userEvent.type(field, 'Hel')
    server.isRunning = true
    server.emit(parkedReply('r1', 't1'))
    const question = await screen.findByRole('heading', { name: /Allow/ })
    await userEvent.type(field, 'lo{Enter}')
    expect(server.posts).toHaveLength(0)
    expect(field).toHaveValue('Hello')
    expect(field).toHaveAccessibleDescription(/Answer the request above first/)
    const scrolled = vi.fn()
    Object.assign(Element.prototype, { scrollIntoView: scrolled })
    await userEvent.click(screen.getByRole('button', { name: 'Go to the request' }))
    expect(scrolled).toHaveBeenCalledOnce()
    expect(question).toHaveFocus()
    expect(field).toHaveValue('Hello')
  })

  it('can stop what waits instead, with the text kept', async () => {
    const server = await startChatServer()
    const interrupted = vi.fn()
    const field = await show(server)
    server.emit(parkedReply('r1', 't1'))
    await screen.findByRole('heading', { name: /Allow/ })
    await userEvent.type(field, 'Hello')
    server.onInterrupt = interrupted
    await userEvent.dblClick(screen.getByRole('button', { name: 'Stop the agent' }))
    await waitFor(() => expect(interrupted).toHaveBeenCalledOnce())
    expect(screen.getByRole('button', { name: 'Stopping' })).toBeVisible()
    server.emit([replyStart('r1'), replyEnd('r1', 'interrupted')])
    await screen.findByRole('button', { name: 'Send' })
    expect(field).toHaveValue('Hello')
  })

  it('that a reload cut short is shown as not known to have arrived', async () => {
    const server = await startChatServer()
    const key = `agentscope-react:agentservice:${server.url}|a1|s1`
    const message = UserMsg({ id: 'm1', name: 'user', content: 'Hello' })
    sessionStorage.setItem(key, JSON.stringify([{ keys: ['m1'], message }, 'not an entry', {}]))
    await show(server)
    expect(await screen.findByRole('alert')).toHaveTextContent('not known whether this arrived')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(ids(server)).toEqual(['m1']))
    await waitFor(() => expect(sessionStorage.getItem(key)).toBeNull())
  })
})
