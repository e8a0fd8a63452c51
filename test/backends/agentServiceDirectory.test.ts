// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { agentServiceDirectory } from '../../src/backends/index.js'
import { sendJson, startServer, type Seen } from '../transports/startServer.js'

const said = ({ method, url, body }: Seen) => [method, url, body === '' ? null : JSON.parse(body)]

describe('agentServiceDirectory', () => {
  it('has a key of the place, and of the user when told', () => {
    const baseUrl = 'http://127.0.0.1/x//'
    expect(agentServiceDirectory({ baseUrl }).key).toBe('agentservice:http://127.0.0.1/x')
    expect(agentServiceDirectory({ baseUrl, user: 'me' }).key).toBe(
      'agentservice:http://127.0.0.1/x|me',
    )
  })

  it('lists agents, and passes over what is none', async () => {
    const agents = [
      { id: 'a1', user_id: 'u', source: 'user', editable: true, data: { name: 'Friday' } },
      { id: 'a2', data: null },
      { data: { name: 'nobody' } },
      null,
    ]
    const server = await startServer((response) => sendJson(response, { agents, total: 4 }))
    const directory = agentServiceDirectory({ baseUrl: server.url, headers: { 'X-User-ID': 'u' } })
    expect(await directory.agents()).toEqual([
      { id: 'a1', name: 'Friday' },
      { id: 'a2', name: 'a2' },
    ])
    expect(server.seen[0]).toMatchObject({ url: '/agent/', headers: { 'x-user-id': 'u' } })
  })

  it('lists the sessions of an agent', async () => {
    const record = (id: string) => ({
      id,
      agent_id: 'a 1',
      updated_at: '2026-11-30T17:52:35.976520',
      config: { name: `Talk ${id}` },
    })
    const sessions = [
      { session: record('s1'), is_running: false, status: 'running', team: null },
      { session: record('s2'), is_running: true, status: 'awaiting_permission' },
      { session: record('s3'), is_running: true },
      { session: { id: 's4' } },
      {},
    ]
    const server = await startServer((response) => sendJson(response, { sessions, total: 5 }))
    const list = await agentServiceDirectory({ baseUrl: server.url }).sessions('a 1')
    expect(list[0]).toEqual({
      id: 's1',
      agentId: 'a 1',
      name: 'Talk s1',
      updatedAt: '2026-11-30T17:52:35.976520',
      isRunning: true,
    })
    expect(list.map(({ id, isRunning }) => [id, isRunning])).toEqual([
      ['s1', true],
      ['s2', false],
      ['s3', true],
      ['s4', false],
    ])
    expect(list[3]).toMatchObject({ name: 's4', updatedAt: null })
    expect(server.seen[0]?.url).toBe('/sessions/?agent_id=a+1')
  })

  it('does not take a strange answer for an empty list', async () => {
    const server = await startServer((response) => sendJson(response, []))
    const directory = agentServiceDirectory({ baseUrl: server.url })
    await expect(directory.agents()).rejects.toMatchObject({ reason: 'malformed' })
    await expect(directory.sessions('a1')).rejects.toMatchObject({ reason: 'malformed' })
    await expect(directory.createSession('a1')).rejects.toMatchObject({ reason: 'malformed' })
  })

  it('creates, renames and deletes sessions', async () => {
    const server = await startServer((response, { method }) => {
      if (method === 'POST') return sendJson(response, { session_id: 's/1' }, 201)
      if (method === 'PATCH') return sendJson(response, { id: 's/1' })
      response.writeHead(204)
      response.end()
    })
    const directory = agentServiceDirectory({
      baseUrl: server.url,
      sessionDefaults: { chat_model_config: { model: 'm' } },
    })
    expect(await directory.createSession('a1', { name: 'New' })).toBe('s/1')
    await directory.renameSession('a1', 's/1', 'Newer')
    await directory.deleteSession('a1', 's/1')
    expect(server.seen.map(said)).toEqual([
      ['POST', '/sessions/', { chat_model_config: { model: 'm' }, name: 'New', agent_id: 'a1' }],
      ['PATCH', '/sessions/s%2F1?agent_id=a1', { name: 'Newer' }],
      ['DELETE', '/sessions/s%2F1?agent_id=a1', null],
    ])
  })

  it('gives a new session the model of the newest one that has a model', async () => {
    const record = (updated_at: string, model?: string) => ({
      session: {
        id: updated_at,
        updated_at,
        config: { chat_model_config: model === undefined ? null : { model } },
      },
    })
    const sessions = [
      record('2026-11-01T10', 'old'),
      record('2026-11-03T10'),
      record('2026-11-02T10', 'new'),
    ]
    const server = await startServer((response, { method }) =>
      method === 'POST'
        ? sendJson(response, { session_id: 's1' }, 201)
        : sendJson(response, { sessions, total: 3 }),
    )
    await agentServiceDirectory({ baseUrl: server.url }).createSession('a1')
    expect(server.seen.map(said)).toEqual([
      ['GET', '/sessions/?agent_id=a1', null],
      ['POST', '/sessions/', { agent_id: 'a1', chat_model_config: { model: 'new' } }],
    ])
  })

  it('says why it failed', async () => {
    const server = await startServer((response) =>
      sendJson(
        response,
        { detail: 'Cannot modify session configuration while the session is running.' },
        409,
      ),
    )
    await expect(
      agentServiceDirectory({ baseUrl: server.url }).renameSession('a1', 's1', 'x'),
    ).rejects.toMatchObject({ reason: 'conflict', status: 409 })
  })
})
