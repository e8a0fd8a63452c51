import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  agentServiceBackend,
  agentServiceDirectory,
  taskApiBackend,
} from '../../src/backends/index.js'
import { AgentChat } from '../../src/components/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import {
  createAgentServer,
  createFaultProxy,
  type AgentServer,
} from '../../src/testing/server/index.js'

let server: AgentServer
beforeAll(async () => {
  server = await createAgentServer({ pace: 0 })
})
afterAll(() => server.close())

const headers = { 'X-User-ID': 'me' }
const patience = { timeout: 8_000 }
const slow = { timeout: 20_000 }

async function session(): Promise<string> {
  const directory = agentServiceDirectory({ baseUrl: server.url, headers })
  return directory.createSession('friday')
}

function overTasks(conversationId: string, url: string = server.url): AgentBackend {
  return taskApiBackend({
    baseUrl: `${url}/task-api`,
    surface: 'web',
    workspaceId: 'friday',
    conversationId,
    headers,
    connection: { fastestMs: 5, slowestMs: 20, firstDelayMs: 5, maxDelayMs: 20 },
  })
}

function overService(sessionId: string): AgentBackend {
  return agentServiceBackend({ baseUrl: server.url, agentId: 'friday', sessionId, headers })
}

async function ask(backend: AgentBackend, words: string): Promise<() => void> {
  const { unmount } = render(<AgentChat backend={backend} options={{ outbox: false }} />)
  await screen.findByRole('button', { name: 'Send' }, patience)
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), `${words}{Enter}`)
  return unmount
}

function card(name: string): Promise<HTMLElement> {
  return screen.findByRole('group', { name: new RegExp(name) }, patience)
}

describe('AgentChat over the Task API', () => {
  it('asks two questions, sends each answer, and shows both after a reload', slow, async () => {
    const backend = overTasks(await session())
    const leave = await ask(backend, 'Help me choose a gift')
    const first = await card('Who is it for')
    await userEvent.click(within(first).getByRole('radio', { name: 'A parent' }))
    await userEvent.click(within(first).getByRole('button', { name: 'Send answer' }))
    const second = await card('What may it cost')
    await userEvent.type(within(second).getByRole('textbox'), 'Ten at most{Enter}')
    await screen.findByText(/small plant/, { selector: 'strong' }, patience)
    expect(screen.queryByRole('radio')).toBeNull()
    leave()
    render(<AgentChat backend={backend} options={{ outbox: false }} />)
    await screen.findByText(/small plant/, { selector: 'strong' }, patience)
    expect(screen.getAllByText(/A parent/).length).toBeGreaterThan(0)
    expect(screen.getAllByText(/Ten at most/).length).toBeGreaterThan(0)
  })
})

describe('AgentChat over a Task API that takes no decision from this person', () => {
  it('says that it was not sent and why, and sends it again when asked to', slow, async () => {
    const proxy = await createFaultProxy({ target: server.url })
    onTestFinished(() => proxy.close())
    proxy.inject({
      kind: 'answer',
      status: 403,
      body: JSON.stringify({ success: false, error: 'Only owners may decide.' }),
      headers: { 'content-type': 'application/json' },
      on: { method: 'POST', path: '/**/decision' },
    })
    await ask(overTasks(await session(), proxy.url), 'Send an email')
    await userEvent.click(await screen.findByRole('button', { name: 'Allow once' }, patience))
    await screen.findByText(/not sent.*may not do this/, {}, patience)
    expect(proxy.done).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    const shown = { ignore: '.as-sr-only *' }
    expect(await screen.findByText(/Ana will have it/, shown, patience)).toBeInTheDocument()
  })
})

describe('AgentChat over the service', () => {
  it('asks the same questions in one card', slow, async () => {
    await ask(overService(await session()), 'Help me choose a gift')
    await userEvent.click(await screen.findByRole('radio', { name: 'A parent' }, patience))
    await userEvent.click(screen.getByRole('radio', { name: 'Up to 20 €' }))
    await userEvent.click(screen.getByRole('button', { name: 'Send answer' }))
    await screen.findByText(/small plant/, { selector: 'strong' }, patience)
    expect(screen.queryByRole('radio')).toBeNull()
  })
})
