// @vitest-environment node
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { getTextContent } from '../../../src/entries/core.js'
import { createChatStore } from '../../../src/entries/hooks.js'
import { createFaultProxy, type Fault } from '../../../src/entries/testing-server.js'
import { parrotBackend } from './parrotBackend.js'

let server: Server
let url: string

/** A parrot that keeps all that it said, and tells it to whoever comes. */
beforeEach(async () => {
  const said: string[] = []
  const listeners = new Set<ServerResponse>()
  const tell = (frame: object | string): void => {
    const data = typeof frame === 'string' ? frame : JSON.stringify({ n: said.length, ...frame })
    said.push(`data: ${data}\n\n`)
    listeners.forEach((listener) => listener.write(said.at(-1)))
  }
  server = createServer((asked, answer) => {
    if (asked.method === 'POST') {
      asked.resume().on('end', () => {
        answer.writeHead(204).end()
        for (const say of ['Señor', ' ', 'Polly']) tell({ turn: 't1', say })
        tell('not JSON')
        tell({ turn: 't1', over: true })
      })
      return
    }
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    said.forEach((line) => answer.write(line))
    listeners.add(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe('parrotBackend', () => {
  const on = { path: '/stream' }
  it.each<Fault>([
    { kind: 'duplicate', events: 2, on },
    { kind: 'close', after: 2, on },
    { kind: 'cut', at: 'character', on },
  ])('shows an answer exactly, though the line does: $kind', async (fault) => {
    const proxy = await createFaultProxy({ target: url, faults: [fault] })
    const anomalies: string[] = []
    const store = createChatStore(parrotBackend(proxy.url), {
      onAnomaly: ({ kind }) => anomalies.push(kind),
    })
    const disconnect = store.connect()
    await expect.poll(() => store.getState().connection.phase).toBe('open')
    await store.commands.send('Who are you?')
    const words = () =>
      store.getState().conversation.messages.map((message) => getTextContent(message))
    await expect.poll(words, { timeout: 10_000 }).toEqual(['Who are you?', 'Señor Polly'])
    await expect.poll(() => anomalies).toContain('unknown-event')
    expect(proxy.done).toHaveLength(1)
    disconnect()
    await proxy.close()
  })

  it('stands in docs/dialects.md as it is here', () => {
    const example = readFileSync('test/dialects/example/parrotBackend.ts', 'utf8').replace(
      "'../../../src/entries/core.js'",
      "'agentscope-react/core'",
    )
    expect(readFileSync('docs/dialects.md', 'utf8')).toContain(example.trim())
  })
})
