// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import type { ToolCallRequest } from '../../src/fold/index.js'
import type { JsonValue } from '../../src/protocol/index.js'
import {
  createBackend,
  openPage,
  proxy,
  quick,
  requests,
  slow,
  stored,
  untilIdle,
  useServer,
  within,
} from './serverPages.js'
import type { Page } from './serverPages.js'

const stream = { method: 'GET', path: '/sessions/*/stream' }
const workerStatus = { method: 'GET', path: '/sessions/*/status' }

/** The one event that tells that a sub-agent's question is settled never arrives. */
function loseSettlements(): void {
  proxy.inject({ kind: 'drop', which: 'every', events: tellsSettlement })
}

function tellsSettlement(event: JsonValue): boolean {
  return JSON.stringify(event).includes('subagent_user_confirm_result')
}

async function untilAsked({ store }: Page): Promise<ToolCallRequest> {
  await vi.waitFor(() => expect(store.getState().conversation.requests).toHaveLength(1), within)
  const [request] = store.getState().conversation.requests
  if (request === undefined || request.kind === 'input') throw new Error('No call waits.')
  return request
}

function untilNothingWaits({ store }: Page): Promise<void> {
  return vi.waitFor(() => expect(store.getState().conversation.requests).toEqual([]), within)
}

describe("a sub-agent's question whose settlement was lost", { timeout: 30_000 }, () => {
  it('goes when the leader reports, for the one who answered and for another reader', async () => {
    loseSettlements()
    const page = await openPage()
    const other = await openPage()
    await page.store.commands.send('Ask the researcher about mulch')
    const request = await untilAsked(page)
    await untilAsked(other)
    await page.store.commands.confirm({ request, approve: true })
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), within)
    await Promise.all([untilNothingWaits(page), untilNothingWaits(other)])
    await untilIdle(page)
    expect(page.store.getState().sends).toEqual({})
    expect([...page.errors, ...other.errors]).toEqual([])
  })

  it('goes when the stream comes back', async () => {
    const page = await openPage()
    await page.store.commands.send('Ask the researcher about mulch')
    const request = await untilAsked(page)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    proxy.inject({ kind: 'answer', status: 503, which: 'every', on: stream })
    proxy.dropStreams()
    const { toolCall, replyId } = request
    const results = [{ confirmed: false, tool_call: toolCall }]
    const elsewhere = createBackend(quick.url)
    await elsewhere.answer([{ kind: 'confirm', id: 'there', reply_id: replyId, results }])
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), within)
    proxy.heal()
    page.store.commands.retryNow()
    await untilNothingWaits(page)
    await untilIdle(page)
  })

  it('stays while the sub-agent waits, however often it is asked', async () => {
    await useServer(slow)
    const page = await openPage()
    await page.store.commands.send('Ask the researcher about mulch')
    await untilAsked(page)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    for (let times = 0; times < 2; times += 1) {
      const before = requests(workerStatus)
      // It may be back before anybody looks.
      const phases = new Set<string>()
      const stop = page.store.subscribe(({ connection }) => phases.add(connection.phase))
      proxy.dropStreams()
      await vi.waitFor(() => expect(phases).toContain('waiting'), within)
      stop()
      page.store.commands.retryNow()
      await vi.waitFor(() => expect(page.store.getState().connection.phase).toBe('open'), within)
      expect(requests(workerStatus)).toBeGreaterThan(before)
      await untilAsked(page)
    }
  })
})
