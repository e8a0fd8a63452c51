// @vitest-environment node
import { describe, expect, it, onTestFinished } from 'vitest'
import { taskApiDirectory } from '../../../src/backends/index.js'
import type { ChatStore } from '../../../src/store/index.js'
import {
  createAgentServer,
  createFaultProxy,
  hint,
  text,
  type AgentScript,
  type Fault,
  type Step,
} from '../../../src/testing/server/index.js'
import { createGate } from '../../testing/server/createGate.js'
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

// A classic server does not tell the person's message, so nothing on the stream says which stored one a task follows.

const says = (words: string): Step => ({ kind: 'model', says: [text(words)] })

async function converse(faults: readonly Fault[] = []) {
  const gate = createGate()
  const agent: AgentScript = {
    id: 'friday',
    name: 'Friday',
    perform: ({ text: said }) => ({
      steps: [
        hint('notify', '', 'It is late.'),
        says('One.'),
        ...(said === 'twice' ? [] : [{ kind: 'wait' as const, until: gate.passed }, says('Two.')]),
      ],
      ...(said === 'twice' && {
        followUp: {
          afterMs: 1,
          isSameTask: true,
          scene: {
            steps: [
              hint('compression_handoff', '', 'Go on.'),
              says('Again.'),
              { kind: 'wait', until: gate.passed },
            ],
          },
        },
      }),
    }),
  }
  const server = await createAgentServer({
    agents: [agent],
    pace: 0,
    taskApi: { version: 'classic' },
  })
  onTestFinished(() => server.close())
  const proxy = await createFaultProxy({ target: server.url, faults })
  onTestFinished(() => proxy.close())
  const directory = taskApiDirectory({ baseUrl: `${server.url}/task-api`, headers })
  const conversationId = await directory.createSession('friday')
  return {
    gate,
    open: (storage = createStorage()) =>
      openPage(createBackend(proxy.url, { conversationId, storage })),
  }
}

function rolesOf(store: ChatStore): readonly string[] {
  return messagesOf(store).map(({ role }) => role)
}

describe('taskApiBackend on a classic server', () => {
  it('finds the task of a message whose answer was lost', async () => {
    const on = { method: 'POST', path: '/task-api/api/tasks' }
    const { gate, open } = await converse([{ kind: 'reset', forwarded: true, on }])
    const { store } = open()
    await untilPhase(store, 'idle')
    await store.commands.send('slow')
    await until(() => expect(textsOf(store).at(-1)).toBe('One.'))
    gate.open()
    await untilDone(store)
    await untilTexts(store, ['slow', 'One.\nTwo.'])
    expect(rolesOf(store)).toEqual(['user', 'assistant'])
  })

  it('knows its own message again after a reload while it was on its way', async () => {
    const gone = createGate()
    const on = { method: 'POST', path: '/task-api/api/tasks' }
    const { gate, open } = await converse([{ kind: 'delay', forwarded: true, by: gone.passed, on }])
    const storage = createStorage()
    const first = open(storage)
    await untilPhase(first.store, 'idle')
    void first.store.commands.send('slow')
    await until(() => expect([...storage.entries.values()].join()).toContain('slow'))
    const third = open()
    await until(() => expect(textsOf(third.store).at(-1)).toBe('One.'))
    first.leave()
    const second = open(storage)
    await until(() => expect(textsOf(second.store).at(-1)).toBe('One.'))
    gate.open()
    gone.open()
    for (const { store } of [second, third]) {
      await untilDone(store)
      await untilTexts(store, ['slow', 'One.\nTwo.'])
      expect(rolesOf(store)).toEqual(['user', 'assistant'])
    }
  })

  it('names both replies of a task that was compressed, in the page that began it and in others', async () => {
    const { gate, open } = await converse()
    const storage = createStorage()
    const first = open(storage)
    await first.store.commands.send('twice')
    await until(() => expect(textsOf(first.store).at(-1)).toBe('Again.'))
    first.leave()
    const pages = [open(storage), open()]
    for (const { store } of pages) await untilTexts(store, ['twice', 'One.', 'Again.'])
    gate.open()
    for (const { store } of pages) {
      await untilDone(store)
      await untilTexts(store, ['twice', 'One.', 'Again.'])
    }
  })
})
