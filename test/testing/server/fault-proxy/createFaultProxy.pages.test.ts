// @vitest-environment node
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFaultProxy,
  type Fault,
  type FaultProxy,
} from '../../../../src/testing/server/index.js'

// A server that is polled: each answer is a page of events, with numbers or without, in `data` or not.

let server: Server
let proxy: FaultProxy
let body: object = {}

beforeEach(async () => {
  body = pageOf([0, 1, 2, 3])
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  proxy = await createFaultProxy({ target: `http://127.0.0.1:${port}` })
})

afterEach(async () => {
  await proxy.close()
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

const pageOf = (idxs: readonly number[]) => ({
  success: true,
  data: { status: 'running', events: idxs.map((idx) => ({ idx, type: 'e' })), next_offset: 4 },
})

const on = { path: '/tasks/*' }

async function poll(): Promise<unknown> {
  return (await fetch(`${proxy.url}/tasks/t1?from=0`)).json()
}

describe('createFaultProxy: pages of events', () => {
  it.each<[string, Fault, number[]]>([
    ['loses one', { kind: 'drop', on, events: 2 }, [0, 2, 3]],
    ['has a hole', { kind: 'drop', on, events: { from: 2, to: 3 } }, [0, 3]],
    ['says one twice', { kind: 'duplicate', on, events: 1 }, [0, 0, 1, 2, 3]],
    ['changes the order', { kind: 'swap', on, events: 2 }, [0, 2, 1, 3]],
    ['has nothing to change places with at its end', { kind: 'swap', on, events: 4 }, [0, 1, 2, 3]],
    ['repeats an old one', { kind: 'echo', on, after: 3, event: 1 }, [0, 1, 2, 0, 3]],
  ])('%s', async (_, fault, idxs) => {
    proxy.inject(fault)
    expect(await poll()).toEqual(pageOf(idxs))
    expect(proxy.done[0]).toMatchObject({ kind: fault.kind, path: '/tasks/t1' })
    expect(await poll()).toEqual(pageOf([0, 1, 2, 3]))
  })

  it('counts events over all pages, by their own numbers', async () => {
    proxy.inject({ kind: 'drop', on, which: 'every', events: 6 })
    body = pageOf([4, 5, 6])
    expect(await poll()).toEqual(pageOf([4, 6]))
    expect(proxy.done).toMatchObject([{ kind: 'drop', event: 6 }])
  })

  it('counts events without numbers by their place, and finds them at the top', async () => {
    proxy.inject({ kind: 'drop', on, events: 2 })
    body = { events: ['a', 'b', 'c'], next: 3 }
    expect(await poll()).toEqual({ events: ['a', 'c'], next: 3 })
  })

  it('repeats what an earlier page had', async () => {
    proxy.inject({ kind: 'echo', on, which: 'every', after: 6, event: 2 })
    await poll()
    body = pageOf([4, 5, 6])
    expect(await poll()).toEqual(pageOf([4, 5, 1, 6]))
  })

  it('leaves alone what is no page, and pages whose path is not named', async () => {
    proxy.inject({ kind: 'drop', events: 1 })
    expect(await poll()).toEqual(pageOf([0, 1, 2, 3]))
    proxy.inject({ kind: 'drop', on, events: 1 })
    body = { success: false, error: 'no' }
    expect(await poll()).toEqual(body)
    expect(proxy.done).toEqual([])
  })

  it('breaks and cuts pages as it does any JSON', async () => {
    proxy.inject({ kind: 'broken-json', on })
    await expect(poll()).rejects.toThrow('JSON')
    proxy.inject({ kind: 'cut', on, at: 10 })
    await expect(poll()).rejects.toThrow('terminated')
    expect(await poll()).toEqual(pageOf([0, 1, 2, 3]))
  })

  it('draws what happens to events, on paths that are named', async () => {
    const random = { seed: 4, on, intensity: { drop: 0.5 } }
    const drawn = await createFaultProxy({ target: proxy.target, random })
    const answer: unknown = await (await fetch(`${drawn.url}/tasks/t1`)).json()
    const other: unknown = await (await fetch(`${drawn.url}/other`)).json()
    await drawn.close()
    expect(answer).not.toEqual(pageOf([0, 1, 2, 3]))
    expect(other).toEqual(pageOf([0, 1, 2, 3]))
  })
})
