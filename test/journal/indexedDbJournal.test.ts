// @vitest-environment node
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { applyEvents, createConversation } from '../../src/fold/index.js'
import { indexedDbJournal } from '../../src/journal/index.js'
import type { AgentEvent, ConversationInput } from '../../src/protocol/index.js'
import { message, script, userMessage } from '../fold/script.js'
import {
  openConversation,
  openTab,
  pageOf,
  readKept,
  untilKept,
  useEmptyDevice,
} from './database.js'

const DAY_MS = 86_400_000
const r = script('r')
const events: readonly AgentEvent[] = [r.start(), r.modelStart(), ...r.text('t', 'Hello')]

beforeEach(useEmptyDevice)

/** Waits until a conversation folds to these texts. */
async function expectShown(texts: readonly string[], key?: string): Promise<void> {
  await untilKept((inputs) => expect(shown(inputs)).toEqual(texts), key)
}

function shown(inputs: readonly ConversationInput[]): string[] {
  const { messages } = applyEvents(createConversation(), inputs)
  return messages.map(({ content }) => content.map((b) => ('text' in b ? b.text : b.type)).join())
}

/** The stored answer of `r`. */
function stored(text: string): ConversationInput {
  const finished = { finished_at: '2027', finished_reason: 'completed' } as const
  return pageOf([userMessage('u', 'Hi'), message('r', [{ type: 'text', id: 't', text }], finished)])
}

describe('indexedDbJournal', () => {
  it('gives what was kept, to any tab', async () => {
    const { append } = await openConversation(openTab())
    append(events)
    await expectShown(['Hello'])
    expect((await readKept()).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  })

  it('keeps conversations and databases apart', async () => {
    const { append } = await openConversation(openTab({ name: 'of-ann' }), 'c1')
    append(events)
    await vi.waitFor(async () => {
      const { inputs } = await openConversation(openTab({ name: 'of-ann' }), 'c1')
      expect(shown(inputs)).toEqual(['Hello'])
    })
    expect((await openConversation(openTab({ name: 'of-ann' }), 'c2')).inputs).toEqual([])
    expect((await openConversation(openTab({ name: 'of-ben' }), 'c1')).inputs).toEqual([])
  })

  it('writes many events in one transaction, and what comes again not at all', async () => {
    const { append } = await openConversation(openTab())
    const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction')
    onTestFinished(() => transactions.mockRestore())
    for (let moment = 0; moment < 5; moment += 1) append(events)
    await vi.waitFor(() => expect(transactions).toHaveBeenCalled())
    append(events)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(transactions).toHaveBeenCalledTimes(1)
  })

  it('keeps a stored message instead of the events that made it', async () => {
    const { append } = await openConversation(openTab())
    append([...events, r.end(), stored('Hello')])
    await untilKept((inputs) => expect(inputs).toEqual([stored('Hello')]))
  })

  it('writes a stored message once, however often its page is read', async () => {
    const { append } = await openConversation(openTab())
    append([stored('Hello')])
    await expectShown(['Hi', 'Hello'])
    const writes = vi.spyOn(IDBObjectStore.prototype, 'put')
    onTestFinished(() => writes.mockRestore())
    append([stored('Hello')])
    await vi.waitFor(() => expect(writes).toHaveBeenCalled())
    const messages = writes.mock.calls.filter(([value]) => JSON.stringify(value).includes('Hello'))
    expect(messages).toEqual([])
  })

  it('keeps the newest of a conversation that outgrows its room', async () => {
    const { append } = await openConversation(openTab({ maxCharacters: 2_000 }))
    append([stored('old '.repeat(300))])
    await expectShown(['Hi', 'old '.repeat(300)])
    const next = script('next')
    append([next.start(), next.modelStart(), ...next.text('t', 'new '.repeat(100))])
    await expectShown(['new '.repeat(100)])
  })

  it('leaves a big picture out of a stored message, and keeps the rest of it', async () => {
    const { append, anomalies } = await openConversation(openTab())
    const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8_000_000) } as const
    const picture = { type: 'data', id: 'd', source, name: 'plot.png' } as const
    append([pageOf([message('r', [picture, { type: 'text', id: 't', text: 'A plot' }])])])
    await expectShown(['data,A plot'])
    expect(JSON.stringify(await readKept()).length).toBeLessThan(2_000)
    expect(anomalies).toEqual([])
  })

  it('keeps no question of a sub-agent, which the service asks anew', async () => {
    const { append } = await openConversation(openTab())
    const base = { type: 'CUSTOM', value: {} } as const
    append([
      { ...base, id: '1', name: 'subagent_require_user_confirm' },
      { ...base, id: '2', name: 'state_updated' },
      { ...base, id: '3', name: 'state_updated' },
    ])
    await untilKept((inputs) => expect(inputs.map(({ id }) => id)).toEqual(['3']))
  })

  it('forgets a conversation, and what its open readers hear from then on', async () => {
    const journal = openTab()
    const { append, anomalies } = await openConversation(journal)
    const other = await openConversation(openTab(), 'other')
    append(events)
    other.append(events)
    await expectShown(['Hello'])
    await expectShown(['Hello'], 'other')
    append([r.end()])
    await journal.clear('conversation')
    await new Promise((resolve) => setTimeout(resolve, 500))
    append([script('later').start()])
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await readKept()).toEqual([])
    expect(anomalies).toEqual([])
    expect(shown(await readKept('other'))).toEqual(['Hello'])
  })

  it('forgets all', async () => {
    const journal = openTab()
    for (const key of ['one', 'two']) {
      const { append } = await openConversation(journal, key)
      append([...events, stored('Hello')])
      await expectShown(['Hi', 'Hello'], key)
    }
    await openTab().clear()
    expect(await readKept('one')).toEqual([])
    expect(await readKept('two')).toEqual([])
  })

  it('forgets what was not touched for too long', async () => {
    const { append } = await openConversation(openTab())
    append(events)
    await expectShown(['Hello'])
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now + 6 * DAY_MS)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(shown(await readKept())).toEqual(['Hello'])
    vi.spyOn(Date, 'now').mockReturnValue(now + 14 * DAY_MS)
    expect(await readKept()).toEqual([])
  })

  it('keeps so many conversations, those touched last', async () => {
    for (const key of ['one', 'two', 'three']) {
      const { append } = await openConversation(openTab({ maxConversations: 2 }), key)
      append(events)
      await expectShown(['Hello'], key)
    }
    await openConversation(openTab({ maxConversations: 2 }), 'four')
    await vi.waitFor(async () => expect(await keysKept()).toEqual(['four', 'three']))
  })

  it('makes room when the device is full, and stops with one word when that is not enough', async () => {
    const other = await openConversation(openTab(), 'other')
    other.append(events)
    await expectShown(['Hello'], 'other')
    const { append, anomalies } = await openConversation(openTab())
    const full = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('The device is full.', 'QuotaExceededError')
    })
    onTestFinished(() => full.mockRestore())
    append(events)
    await vi.waitFor(() => expect(full).toHaveBeenCalledTimes(2))
    await expectShown(['Hello'])
    expect(await keysKept()).toEqual(['conversation'])
    full.mockImplementation(() => {
      throw new DOMException('The device is full.', 'QuotaExceededError')
    })
    append([r.end()])
    await vi.waitFor(() => expect(anomalies).toMatchObject([{ kind: 'not-kept' }]))
    append([script('later').start()])
    full.mockRestore()
    expect(shown(await readKept())).toEqual(['Hello'])
    expect(anomalies.length).toBe(1)
  })

  it('writes a batch as a whole or not at all', async () => {
    const { append } = await openConversation(openTab())
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The device broke.', 'UnknownError')
    })
    append(events)
    await vi.waitFor(() => expect(put).toHaveBeenCalled())
    put.mockRestore()
    expect(await readKept()).toEqual([])
  })

  it('does without a database of a newer version, and says so once', async () => {
    await openDatabase(99)
    const { append, anomalies, inputs } = await openConversation(openTab())
    append(events)
    expect(inputs).toEqual([])
    expect(anomalies).toMatchObject([{ kind: 'not-kept' }])
  })

  it('lets a newer version in at once, and keeps nothing from then on', async () => {
    const { append, anomalies } = await openConversation(openTab())
    append(events)
    await expectShown(['Hello'])
    const { promise, database } = openDatabaseLater(99)
    await promise
    append([r.end()])
    await vi.waitFor(() => expect(anomalies).toMatchObject([{ kind: 'not-kept' }]))
    database()?.close()
  })

  it('does without IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const journal = indexedDbJournal()
    const { inputs, anomalies, append } = await openConversation(journal)
    append(events)
    expect(inputs).toEqual([])
    expect(anomalies).toMatchObject([{ kind: 'not-kept' }])
    await expect(journal.clear()).resolves.toBeUndefined()
  })

  it('does not wait for a database that hangs', async () => {
    const opening = vi.spyOn(indexedDB, 'open').mockReturnValue(new IDBOpenDBRequest())
    const { inputs, anomalies } = await openConversation(openTab())
    expect(opening).toHaveBeenCalledTimes(1)
    expect(inputs).toEqual([])
    expect(anomalies).toMatchObject([
      { kind: 'not-kept', message: expect.stringContaining('No answer within') },
    ])
  })
})

async function keysKept(): Promise<IDBValidKey[]> {
  const database = await openDatabase()
  const request = database.transaction('conversations').objectStore('conversations').getAllKeys()
  await new Promise((resolve) => {
    request.addEventListener('success', resolve)
  })
  database.close()
  return request.result
}

function openDatabase(version?: number): Promise<IDBDatabase> {
  return openDatabaseLater(version).promise
}

function openDatabaseLater(version?: number): {
  readonly promise: Promise<IDBDatabase>
  readonly database: () => IDBDatabase | undefined
} {
  const request = indexedDB.open('agentscope-react', version)
  const promise = new Promise<IDBDatabase>((resolve) => {
    request.addEventListener('success', () => resolve(request.result))
  })
  return { promise, database: () => (request.readyState === 'done' ? request.result : undefined) }
}
