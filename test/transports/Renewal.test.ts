// @vitest-environment node
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectionState } from '../../src/protocol/index.js'
import { openSse, request, type SseOptions } from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'
import { sendJson, sendStream, startServer, type Seen } from './startServer.js'

const waitFor = (check: () => void) => vi.waitFor(check, 5_000)

/** Credentials of an app, which the server of `startGuarded` takes only when they are fresh. */
function createCredentials() {
  let token = 'old'
  return {
    headers: () => ({ authorization: token }),
    onUnauthorized: vi.fn(async () => {
      token = 'new'
    }),
  }
}

const isFresh = ({ headers }: Seen) => headers.authorization === 'new'

function startGuarded(status = 401) {
  return startServer((response, seen) => {
    if (!isFresh(seen)) sendJson(response, { detail: 'Expired.' }, status)
    else if (seen.url === '/stream') sendStream(response, 'data: a\n\n')
    else sendJson(response, { ok: true })
  })
}

function listen(url: string, options: Partial<SseOptions>) {
  const clock = createTestClock()
  const states: ConnectionState[] = []
  const stream = openSse({
    url,
    clock,
    random: () => 1,
    onFrame: () => {},
    onState: (state) => states.push(state),
    ...options,
  })
  onTestFinished(() => stream.close())
  return {
    ...stream,
    clock,
    states,
    until: (phase: ConnectionState['phase']) =>
      waitFor(() => expect(states.at(-1)?.phase).toBe(phase)),
  }
}

describe('onUnauthorized', () => {
  it.each([401, 403])(
    'lets what was refused with %i be asked once more, with fresh headers',
    async (status) => {
      const server = await startGuarded(status)
      const credentials = createCredentials()
      expect(await request({ url: server.url, body: { a: 1 }, ...credentials })).toEqual({
        ok: true,
      })
      expect(server.seen.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}'])
      expect(credentials.onUnauthorized).toHaveBeenCalledTimes(1)
    },
  )

  it.each([400, 404, 409, 500])('is not for %i', async (status) => {
    const server = await startGuarded(status)
    const credentials = createCredentials()
    await expect(request({ url: server.url, ...credentials })).rejects.toMatchObject({ status })
    expect(server.seen).toHaveLength(1)
    expect(credentials.onUnauthorized).not.toHaveBeenCalled()
  })

  it('is asked once for requests that fail together', async () => {
    const server = await startGuarded()
    const credentials = createCredentials()
    const asked = Array.from({ length: 4 }, () => request({ url: server.url, ...credentials }))
    await Promise.all(asked)
    expect(credentials.onUnauthorized).toHaveBeenCalledTimes(1)
    expect(server.seen).toHaveLength(8)
  })

  it('is not asked again for a refusal of what was sent before the credentials were renewed', async () => {
    let answerSlow = (): void => {}
    const server = await startServer((response, seen, count) => {
      const answer = () => sendJson(response, {}, isFresh(seen) ? 200 : 401)
      if (count === 1) answerSlow = answer
      else answer()
    })
    const credentials = createCredentials()
    const slow = request({ url: `${server.url}/slow`, ...credentials })
    await waitFor(() => expect(server.seen).toHaveLength(1))
    await request({ url: server.url, ...credentials })
    answerSlow()
    await slow
    expect(credentials.onUnauthorized).toHaveBeenCalledTimes(1)
  })

  it('is not asked again when fresh credentials were refused, until some are accepted', async () => {
    let isOpen = false
    const server = await startServer((response) => sendJson(response, {}, isOpen ? 200 : 401))
    const onUnauthorized = vi.fn(async () => {})
    const ask = () => request({ url: server.url, onUnauthorized })
    await expect(ask()).rejects.toMatchObject({ status: 401 })
    await expect(ask()).rejects.toMatchObject({ status: 401 })
    expect(onUnauthorized).toHaveBeenCalledTimes(1)
    expect(server.seen).toHaveLength(3)
    isOpen = true
    await ask()
    isOpen = false
    await expect(ask()).rejects.toMatchObject({ status: 401 })
    expect(onUnauthorized).toHaveBeenCalledTimes(2)
  })

  it('leaves the failure as it was when credentials cannot be renewed', async () => {
    const server = await startGuarded()
    const { headers } = createCredentials()
    const onUnauthorized = () => Promise.reject(new Error('the person closed the window'))
    await expect(request({ url: server.url, headers, onUnauthorized })).rejects.toMatchObject({
      status: 401,
      detail: 'Expired.',
    })
    const stream = listen(`${server.url}/stream`, { headers, onUnauthorized })
    await stream.until('failed')
    expect(stream.states.at(-1)).toMatchObject({ cause: { detail: 'Expired.' } })
    expect(server.seen).toHaveLength(2)
  })

  it('brings a stream back, and is shared with requests', async () => {
    const server = await startGuarded()
    const credentials = createCredentials()
    const stream = listen(`${server.url}/stream`, credentials)
    await request({ url: server.url, ...credentials })
    await stream.until('open')
    expect(stream.states.map(({ phase }) => phase)).not.toContain('failed')
    expect(credentials.onUnauthorized).toHaveBeenCalledTimes(1)
    expect(stream.clock.waiting).toBe(1)
  })

  it('is asked once for a stream that stays forbidden while requests are not', async () => {
    const server = await startServer((response, { url }) =>
      sendJson(response, {}, url === '/stream' ? 403 : 200),
    )
    const onUnauthorized = vi.fn(async () => {
      await request({ url: server.url, onUnauthorized })
    })
    const stream = listen(`${server.url}/stream`, { onUnauthorized })
    await stream.until('failed')
    expect(onUnauthorized).toHaveBeenCalledTimes(1)
    expect(server.seen.filter(({ url }) => url === '/stream')).toHaveLength(2)
  })

  it('is without effect once the stream was closed', async () => {
    const server = await startGuarded()
    let renew = (): void => {}
    const onUnauthorized = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          renew = resolve
        }),
    )
    const stream = listen(`${server.url}/stream`, { onUnauthorized })
    await waitFor(() => expect(onUnauthorized).toHaveBeenCalled())
    expect(stream.states.at(-1)).toEqual({ phase: 'connecting' })
    expect(stream.clock.waiting).toBe(0)
    const before = stream.states.length
    stream.close()
    renew()
    await request({ url: server.url, headers: { authorization: 'new' } })
    expect(stream.states).toHaveLength(before)
    expect(server.seen).toHaveLength(2)
  })
})
