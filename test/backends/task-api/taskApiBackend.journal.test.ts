// @vitest-environment node
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { taskApiDirectory } from '../../../src/backends/index.js'
import { applyEvents, createConversation } from '../../../src/fold/index.js'
import { indexedDbJournal } from '../../../src/journal/index.js'
import {
  createAgentServer,
  text,
  type AgentScript,
  type TaskApiServerOptions,
} from '../../../src/testing/server/index.js'
import { readKept } from '../../journal/database.js'
import { createGate, type Gate } from '../../testing/server/createGate.js'
import {
  createBackend,
  createStorage,
  headers,
  messagesOf,
  openPage,
  textsOf,
  until,
  untilDone,
  untilPhase,
  untilTexts,
} from './openPage.js'

const PART = Array.from({ length: 700 }, (_, index) => `${index} `)
const part = PART.join('')

let gates: Gate[] = []
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  gates = [createGate(), createGate(), createGate()]
})

/** Says three long parts, each when the test lets it, and stops in the middle of the second. */
const agent: AgentScript = {
  id: 'friday',
  name: 'Friday',
  perform: ({ text: said }) => ({
    steps:
      said === 'long'
        ? gates.flatMap(({ passed }, index) => [
            { kind: 'model' as const, says: [{ kind: 'text' as const, chunks: PART }] },
            ...(index < 2 ? [{ kind: 'wait' as const, until: passed }] : []),
          ])
        : [{ kind: 'model' as const, says: [text(`You said ${said}.`)] }],
  }),
}

async function converse(taskApi: TaskApiServerOptions) {
  const server = await createAgentServer({ agents: [agent], pace: 0, taskApi })
  onTestFinished(() => server.close())
  const directory = taskApiDirectory({ baseUrl: `${server.url}/task-api`, headers })
  const conversationId = await directory.createSession('friday')
  const storage = createStorage()
  return {
    server,
    open: (surface: 'v1' | 'web', ownStorage = storage) =>
      openPage(createBackend(server.url, { conversationId, surface, storage: ownStorage }), {
        journal: indexedDbJournal(),
      }),
  }
}

/** Waits until the server has let go of a task's first events. */
async function untilGone(url: string, count: number): Promise<void> {
  await until(async () => {
    const running: unknown = await (
      await fetch(`${url}/task-api/api/tasks?status=active`, { headers })
    ).json()
    const id = /"task_id":"([^"]+)"/.exec(JSON.stringify(running))?.[1] ?? ''
    const page: unknown = await (await fetch(`${url}/task-api/api/tasks/${id}`, { headers })).json()
    const first = /"idx":(\d+)/.exec(JSON.stringify(page))?.[1]
    expect(Number(first)).toBeGreaterThan(count)
  })
}

type Page = ReturnType<Awaited<ReturnType<typeof converse>>['open']>

async function untilSaid(page: Page, parts: number): Promise<void> {
  await until(() => expect(lengthOf(page)).toBe(part.length * parts + parts - 1))
}

function lengthOf({ store }: Page): number {
  return textsOf(store).at(-1)?.length ?? 0
}

/** Leaves a page, and waits until what it heard is written. */
async function reload(page: Page): Promise<void> {
  page.leave()
  const seen = messagesOf(page.store)
  await until(async () => {
    const inputs = await readKept(page.store.backend.key)
    const { messages } = applyEvents(createConversation(), inputs)
    expect(messages).toEqual(seen)
  })
}

describe.each(['v1', 'web'] as const)(
  'taskApiBackend with a journal, on the %s surface',
  { timeout: 20_000 },
  (surface) => {
    it('keeps the early words of a long task that a classic server let go of', async () => {
      const { open } = await converse({ version: 'classic' })
      const first = open(surface)
      await untilPhase(first.store, 'idle')
      await first.store.commands.send('long')
      await untilSaid(first, 1)
      gates[0]?.open()
      await untilSaid(first, 2)
      await reload(first)
      const second = open(surface)
      await untilSaid(second, 2)
      await untilPhase(second.store, 'streaming')
      expect(Object.values(second.store.getState().conversation.replies)).toMatchObject([
        { phase: 'running', isComplete: true },
      ])
      gates[1]?.open()
      await untilSaid(second, 3)
      expect(textsOf(second.store)).toEqual(['long', [part, part, part].join('\n')])
      await untilDone(second.store)
      await untilTexts(second.store, ['long', [part, part, part].join('\n')])
      expect(second.anomalies.filter(({ kind }) => kind !== 'differs-from-history')).toEqual([])
    })

    it('says that something is missing when the task went on too far meanwhile, and heals at its end', async () => {
      const { server, open } = await converse({ version: 'classic', bufferSize: 300 })
      const first = open(surface)
      await untilPhase(first.store, 'idle')
      await first.store.commands.send('long')
      await until(() => expect(lengthOf(first)).toBeGreaterThan(0))
      await until(async () => expect(await first.store.backend.status?.()).toBe('running'))
      await until(() => expect(textsOf(first.store).at(-1)).toContain('699'))
      await reload(first)
      gates[0]?.open()
      await untilGone(server.url, 800)
      const second = open(surface)
      await until(() => {
        const replies = Object.values(second.store.getState().conversation.replies)
        expect(replies).toMatchObject([{ phase: 'running', isComplete: false }])
      })
      gates[1]?.open()
      await untilDone(second.store)
      await untilTexts(second.store, ['long', [part, part, part].join('\n')])
      await until(() => {
        const replies = Object.values(second.store.getState().conversation.replies)
        expect(replies).toMatchObject([{ isComplete: true }])
      })
    })

    it('replays a task whose events are all there onto what was kept, once', async () => {
      const { open } = await converse({})
      const first = open(surface)
      await untilPhase(first.store, 'idle')
      await first.store.commands.send('long')
      await untilSaid(first, 1)
      await reload(first)
      const second = open(surface)
      await untilSaid(second, 1)
      for (const gate of gates) gate.open()
      await untilSaid(second, 3)
      await untilDone(second.store)
      await reload(second)
      const third = open(surface, createStorage())
      await untilTexts(third.store, ['long', [part, part, part].join('\n')])
      expect(messagesOf(third.store).map(({ id }) => id)).toEqual(
        messagesOf(second.store).map(({ id }) => id),
      )
    })
  },
)
