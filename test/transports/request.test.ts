// @vitest-environment node
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { TransportError } from '../../src/protocol/index.js'
import { request, type RequestOptions } from '../../src/transports/index.js'
import { createTestClock } from './createTestClock.js'
import { sendJson, startServer } from './startServer.js'

async function fail(options: RequestOptions): Promise<TransportError> {
  const error: unknown = await request(options).catch((reason: unknown) => reason)
  if (error instanceof TransportError) return error
  throw new Error('It did not fail with a TransportError.')
}

describe('request', () => {
  it('gives the JSON of the answer, and null for none', async () => {
    const server = await startServer((response, _, count) => {
      if (count === 1) return sendJson(response, { a: [1] })
      response.writeHead(204)
      response.end()
    })
    expect(await request({ url: server.url })).toEqual({ a: [1] })
    expect(await request({ url: server.url, method: 'DELETE' })).toBeNull()
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
  })

  it('posts JSON under the given headers', async () => {
    const server = await startServer((response) => sendJson(response, {}))
    await request({
      url: server.url,
      body: { text: '你好' },
      headers: async () => ({ Authorization: 'Bearer t', Accept: 'application/vnd.x+json' }),
    })
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: '{"text":"你好"}',
      headers: {
        authorization: 'Bearer t',
        accept: 'application/vnd.x+json',
        'content-type': 'application/json',
      },
    })
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not-found'],
    [409, 'conflict'],
    [400, 'rejected'],
    [429, 'rejected'],
    [500, 'server'],
    [503, 'server'],
  ])('turns %i into %s, with the words of the service', async (status, reason) => {
    const server = await startServer((response) =>
      sendJson(response, { detail: "Session 's1'\n not found." }, status),
    )
    expect(await fail({ url: `${server.url}/a/?token=secret` })).toMatchObject({
      reason,
      status,
      detail: "Session 's1' not found.",
      message: `GET ${server.url}/a/ answered ${status}: Session 's1' not found.`,
      body: String.raw`{"detail":"Session 's1'\n not found."}`,
      contentType: 'application/json',
    })
  })

  it('puts a list of validation errors into one line', async () => {
    const detail = [
      { type: 'missing', loc: ['header', 'x-user-id'], msg: 'Field required', input: null },
      { loc: ['body', 'input', 0], msg: 'Input should be a valid list' },
      'odd',
      {},
    ]
    const server = await startServer((response) => sendJson(response, { detail }, 422))
    expect(await fail({ url: server.url })).toMatchObject({
      reason: 'rejected',
      detail:
        'header.x-user-id: Field required; body.input.0: Input should be a valid list; odd; not valid',
    })
  })

  it('keeps long words short and long bodies to their start', async () => {
    const server = await startServer((response) =>
      sendJson(response, { detail: 'x'.repeat(10_000) }, 422),
    )
    const error = await fail({ url: server.url })
    expect(error.detail).toBe(`${'x'.repeat(299)}…`)
    expect(error.body).toHaveLength(2_000)
  })

  it('reads no more of an endless error page than it needs', async () => {
    let sent = 0
    const server = await startServer((response) => {
      response.writeHead(502, { 'content-type': 'text/html' })
      const pour = (): void => {
        while (!response.destroyed && response.write('<p>'.repeat(1_000))) sent += 3_000
      }
      response.on('drain', pour)
      pour()
    })
    expect((await fail({ url: server.url })).body).toHaveLength(2_000)
    expect(sent).toBeLessThan(50_000_000)
  })

  it.each([
    ['text/html', '<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>'],
    ['application/json', '{"detail":"<html><script>alert(1)</script></html>"}'],
  ])('never puts markup into its message: %s', async (contentType, body) => {
    const server = await startServer((response) => {
      response.writeHead(502, { 'content-type': contentType })
      response.end(body)
    })
    const error = await fail({ url: `${server.url}/<b>` })
    expect(error).toMatchObject({ reason: 'server', status: 502, contentType, body })
    expect(error.detail).toBeUndefined()
    expect(error.message).not.toContain('<')
  })

  it('reads Retry-After in seconds and as a date', async () => {
    const soon = new Date(Date.now() + 90_000).toUTCString()
    const server = await startServer((response, _, count) =>
      sendJson(response, { detail: 'quota' }, 429, { 'retry-after': count === 1 ? '7' : soon }),
    )
    expect(await fail({ url: server.url })).toMatchObject({
      detail: 'quota',
      retryAfterMs: 7_000,
      canRetry: true,
    })
    const { retryAfterMs } = await fail({ url: server.url })
    expect(retryAfterMs).toBeGreaterThan(80_000)
    expect(retryAfterMs).toBeLessThanOrEqual(90_000)
  })

  it('refuses a success that is no JSON', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>Sign in</html>')
    })
    expect(await fail({ url: server.url })).toMatchObject({
      reason: 'malformed',
      status: 200,
      body: '<html>Sign in</html>',
      contentType: 'text/html',
    })
  })

  it('says offline when nobody answers, and closed when the answer breaks off', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{')
      setImmediate(() => response.destroy())
    })
    expect(await fail({ url: server.url })).toMatchObject({ reason: 'closed' })
    await server.close()
    expect(await fail({ url: server.url })).toMatchObject({
      reason: 'offline',
      status: undefined,
      isUnsent: false,
    })
  })

  it('is certain that nothing went out while the device has no network', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const server = await startServer((response) => sendJson(response, {}))
    // A device without network reaches its own servers all the same.
    expect(await request({ url: server.url })).toEqual({})
    await server.close()
    expect(await fail({ url: server.url })).toMatchObject({ reason: 'offline', isUnsent: true })
  })

  it('gives up after its time, also while headers are looked for', async () => {
    const server = await startServer(() => {})
    const clock = createTestClock()
    const first = fail({ url: server.url, clock, timeoutMs: 1_000 })
    const second = fail({
      url: server.url,
      clock,
      timeoutMs: 1_000,
      headers: () => new Promise(() => {}),
    })
    await vi.waitFor(() => expect(server.seen).toHaveLength(1))
    clock.advance(1_000)
    expect(await first).toMatchObject({ reason: 'timeout', canRetry: true })
    expect(await second).toMatchObject({ reason: 'timeout' })
    expect(clock.waiting).toBe(0)
  })

  it('stops when it is told to, before and during', async () => {
    const server = await startServer(() => {})
    const controller = new AbortController()
    const during = fail({ url: server.url, signal: controller.signal })
    await vi.waitFor(() => expect(server.seen).toHaveLength(1))
    controller.abort()
    expect(await during).toMatchObject({ reason: 'aborted', canRetry: false })
    expect(await fail({ url: server.url, signal: controller.signal })).toMatchObject({
      reason: 'aborted',
    })
    expect(server.seen).toHaveLength(1)
  })

  it('leaves no timer behind', async () => {
    const server = await startServer((response) => sendJson(response, {}))
    const clock = createTestClock()
    await request({ url: server.url, clock })
    await vi.waitFor(() => expect(clock.waiting).toBe(0))
  })
})
