import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  agentServiceBackend,
  agentServiceDirectory,
  javaBackend,
} from '../../src/backends/index.js'
import { AgentChat } from '../../src/components/index.js'
import type { ChatOptions } from '../../src/hooks/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import { createAgentServer, type AgentServer } from '../../src/testing/server/index.js'

let server: AgentServer
beforeAll(async () => {
  server = await createAgentServer({ pace: 0 })
})
afterAll(() => server.close())

const headers = { 'X-User-ID': 'me' }
const patience = { timeout: 8_000 }

/** Many events at a time: what counts here is what stands in the end. */
const seldom: ChatOptions = {
  schedule: (commit) => {
    const timer = setTimeout(commit, 100)
    return () => clearTimeout(timer)
  },
}

async function serviceSession(): Promise<AgentBackend> {
  const directory = agentServiceDirectory({ baseUrl: server.url, headers })
  const sessionId = await directory.createSession('friday')
  return agentServiceBackend({ baseUrl: server.url, agentId: 'friday', sessionId, headers })
}

function javaSession(sessionId: string): AgentBackend {
  return javaBackend({ baseUrl: `${server.url}/java/friday`, sessionId, headers })
}

/** Presses a button once it is there, and waits until it has gone. */
async function press(name: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name }, patience))
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull(), patience)
}

/** Talks with an agent, presses a button if there is one to press, and gives what the conversation looks like. */
async function show(backend: AgentBackend, words: string, button?: string): Promise<string> {
  const { container, unmount } = render(<AgentChat options={seldom} backend={backend} />)
  const composer = await screen.findByRole('textbox')
  const idle = () =>
    waitFor(
      () => expect(screen.getByRole('button', { name: 'Send' })).toBeInTheDocument(),
      patience,
    )
  await idle()
  await userEvent.type(composer, `${words}{Enter}`)
  if (button !== undefined) await press(button)
  await waitFor(() => {
    expect(container.querySelector('[data-status="running"], [aria-busy="true"]')).toBeNull()
    expect(screen.getAllByRole('article').length).toBeGreaterThan(1)
  }, patience)
  await idle()
  const html = htmlOf(container)
  unmount()
  return html
}

/** The conversation's HTML without what differs by nature: ids, times (the service's have no zone), and addresses of bytes. */
function htmlOf(container: HTMLElement): string {
  const list = container.querySelector('[data-as-part="message-list-column"]')
  expect(list).not.toBeNull()
  return (
    (list?.innerHTML ?? '')
      .replaceAll(
        / (id|for|aria-[a-z]+by|aria-controls|aria-owns|data-[a-z-]*id|datetime|title)="[^"]*"/g,
        '',
      )
      .replaceAll(/blob:[^"]+/g, 'blob:')
      .replaceAll(/<time[^>]*>[^<]*<\/time>/g, '')
      // What took less than half a second is not told.
      .replaceAll(/<bdi>[\d.]+ s<\/bdi>/g, '')
      .replaceAll(/Thought for [\d.]+ s/g, 'Thought')
      .replaceAll('<span class="as-sr-only">Done</span>', '<span>Done</span>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+/g, 'now')
      .replaceAll('><', '>\n<')
  )
}

describe('AgentChat over Java', () => {
  it.each([
    ['Hello', undefined],
    ['Plan a trip to Lisbon', undefined],
    ['Write markdown', undefined],
    ['Fix the bug', 'Allow once'],
    ['Run the tests', 'Allow once'],
    ['Search the catalogue', undefined],
    ['Write an e-mail', 'Allow once'],
    ['Write an e-mail', 'Deny'],
  ])(
    'looks as it does over the service after "%s" %s',
    { timeout: 30_000 },
    async (words, button) => {
      const service = await show(await serviceSession(), words, button)
      const java = await show(javaSession(`${words} ${button}`), words, button)
      expect(java).toEqual(service)
    },
  )
})
