// @vitest-environment node
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { MessageContent, Outbox } from '../../src/store/index.js'
import { CONTINUE_ID, sessionOutbox } from '../../src/store/index.js'
import {
  accepted,
  chat,
  createMemory,
  onlyKey,
  onlySend,
  openPage,
  proxy,
  requestKey,
  requests,
  stored,
  storedWords,
  untilIdle,
  untilPhase,
  within,
} from './serverPages.js'
import type { Page } from './serverPages.js'

describe('a reload in the middle', { timeout: 30_000 }, () => {
  /** Begins something that gets no answer, and leaves the page. */
  async function leaveDuring(outbox: Outbox, begin: (page: Page) => void): Promise<void> {
    const page = await openPage({ outbox })
    begin(page)
    await vi.waitFor(() => expect(requests(chat)).toBeGreaterThan(0), within)
    page.leave()
  }

  it('of a message that arrived finds it in history', async () => {
    const outbox = createMemory()
    proxy.inject({ kind: 'hang', on: chat, forwarded: true })
    await leaveDuring(outbox, ({ store }) => {
      void store.commands.send('Hello')
      expect(outbox.entries).toHaveLength(1)
    })
    await vi.waitFor(async () => expect(await storedWords()).toEqual(['Hello']), within)
    const page = await openPage({ outbox })
    await untilIdle(page)
    await vi.waitFor(() => expect(outbox.entries).toEqual([]), within)
    expect(page.store.getState().sends).toEqual({})
    expect(page.errors).toEqual([])
    expect(requests(chat)).toBe(1)
  })

  it('of a message that did not arrive shows it, and sends it once under its id', async () => {
    const outbox = createMemory()
    proxy.inject({ kind: 'hang', on: chat })
    await leaveDuring(outbox, ({ store }) => void store.commands.send('Hello'))
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    expect(onlySend(page)).toMatchObject({ isSure: false })
    const id = onlyKey(page)
    expect(outbox.entries[0]?.message?.id).toBe(id)
    await page.store.commands.retry(id)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Hello'])
    expect((await stored())[0]?.id).toBe(id)
    expect(outbox.entries).toEqual([])
  })

  it('of a message that did not arrive can be given up for good', async () => {
    const outbox = createMemory()
    proxy.inject({ kind: 'hang', on: chat })
    await leaveDuring(outbox, ({ store }) => void store.commands.send('Hello'))
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    page.store.commands.discard(onlyKey(page))
    expect(outbox.entries).toEqual([])
    expect(page.store.getState().conversation.messages).toEqual([])
    expect(page.store.getState().error).toBeNull()
  })

  it('of a message that was refused says for certain that it was not sent', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    proxy.inject({ kind: 'answer', on: chat, status: 422 })
    await first.store.commands.send('Hello')
    expect(onlySend(first)).toMatchObject({ phase: 'failed', isSure: true })
    first.leave()
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    expect(onlySend(page)).toMatchObject({ isSure: true })
  })

  it('of a message that waits keeps it waiting, and it goes out by itself', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    await first.store.commands.send('Thanks', { whenFree: true })
    first.leave()
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('held'), within)
    await page.store.commands.interrupt()
    await vi.waitFor(async () => expect(await storedWords()).toHaveLength(2), within)
    await untilIdle(page)
    expect(await storedWords()).toEqual(['Write an e-mail', 'Thanks'])
    expect(outbox.entries).toEqual([])
  })

  it('of a decision that arrived leaves nothing to decide', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    proxy.inject({ kind: 'hang', on: chat, forwarded: true })
    const request = requestKey(first)
    void first.store.commands.confirm({ request, approve: true })
    await vi.waitFor(() => expect(requests(chat)).toBe(2), within)
    first.leave()
    const page = await openPage({ outbox })
    await untilIdle(page)
    expect(page.store.getState().sends).toEqual({})
    await vi.waitFor(() => expect(outbox.entries).toEqual([]), within)
    expect(page.errors).toEqual([])
  })

  it('of a decision that did not arrive shows it, and sends the same under the same id', async () => {
    const outbox = createMemory()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    proxy.inject({ kind: 'hang', on: chat })
    void first.store.commands.confirm({ request: requestKey(first), approve: true })
    await vi.waitFor(() => expect(requests(chat)).toBe(2), within)
    first.leave()
    const id = outbox.entries[0]?.answer?.id
    const heard: (string | undefined)[] = []
    const page = await openPage({ outbox, onEvent: (event) => heard.push(event.id) })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    await page.store.commands.retry(onlyKey(page))
    await untilIdle(page)
    expect(heard).toContain(id)
    expect(outbox.entries).toEqual([])
  })

  it('goes on without an outbox that refuses, and says so once', async () => {
    const refuse = (): never => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
    const page = await openPage({ outbox: { read: refuse, write: refuse } })
    await page.store.commands.send('Hello')
    await untilIdle(page)
    await page.store.commands.send('Hello again')
    await untilIdle(page)
    expect(page.anomalies.map(({ kind }) => kind)).toEqual(['not-kept'])
    expect(await storedWords()).toEqual(['Hello', 'Hello again'])
  })

  /** The outbox of a tab with a storage of its own. */
  function createTab(): Outbox {
    const items = new Map<string, string>()
    vi.stubGlobal('window', {
      sessionStorage: {
        getItem: (key: string) => items.get(key) ?? null,
        setItem: (key: string, value: string) => items.set(key, value),
        removeItem: (key: string) => items.delete(key),
      },
    })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    return sessionOutbox
  }

  const picture: Exclude<MessageContent, string> = [
    {
      type: 'data',
      name: 'picture.png',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K'.repeat(40_000) },
    },
  ]
  const caption: MessageContent = [{ type: 'text', text: 'What is this?' }, ...picture]

  it.each([
    ['a picture with words', caption, [{ type: 'text', text: 'What is this?' }]],
    ['a picture alone', picture, []],
    ['a very long text', 'word '.repeat(60_000), [{ text: 'word '.repeat(2_000) }]],
  ])('of %s that did not arrive shows what is left of it', async (_what, content, left) => {
    const outbox = createTab()
    proxy.inject({ kind: 'hang', on: chat })
    await leaveDuring(outbox, ({ store }) => void store.commands.send(content))
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    expect(onlySend(page)).toMatchObject({ isSure: false, error: { reason: 'not-kept' } })
    expect(page.store.getState().conversation.messages).toMatchObject([{ content: left }])
    expect(page.errors.map(({ reason }) => reason)).toEqual(['not-kept'])

    // It is looked for, and never sent in pieces.
    const id = onlyKey(page)
    await page.store.commands.retry(id)
    expect(onlySend(page)).toMatchObject({ isSure: true, error: { reason: 'not-kept' } })
    await page.store.commands.retry(id)
    expect(requests(chat)).toBe(1)
    page.leave()

    const again = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(again)?.phase).toBe('failed'), within)
    again.store.commands.discard(id)
    expect(again.store.getState()).toMatchObject({ error: null, conversation: { messages: [] } })
    expect(outbox.read('any')).toEqual([])
  })

  it('of a picture that arrived finds it in history, whole', async () => {
    const outbox = createTab()
    proxy.inject({ kind: 'hang', on: chat, forwarded: true })
    await leaveDuring(outbox, ({ store }) => void store.commands.send(caption))
    await vi.waitFor(async () => expect(await stored()).not.toEqual([]), within)
    const page = await openPage({ outbox })
    await untilIdle(page)
    expect(page.store.getState().sends).toEqual({})
    expect(page.errors).toEqual([])
    const [message] = page.store.getState().conversation.messages
    expect(message?.content.map(({ type }) => type)).toEqual(['text', 'data'])
  })

  it('of a picture that waits says for certain that it was not sent', async () => {
    const outbox = createTab()
    const first = await openPage({ outbox })
    await first.store.commands.send('Write an e-mail')
    await untilPhase(first, 'awaiting-person')
    await first.store.commands.send(caption, { whenFree: true })
    first.leave()
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    expect(onlySend(page)).toMatchObject({ isSure: true, error: { reason: 'not-kept' } })
  })

  /** A page on which a reply was given, that is left while the agent is told to go on. */
  async function leaveGoingOn(outbox: Outbox, forwarded: boolean): Promise<void> {
    const page = await openPage({ outbox })
    await page.store.commands.send('Hello')
    await untilIdle(page)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(2), within)
    proxy.inject({ kind: 'hang', on: chat, forwarded })
    void page.store.commands.send(null)
    await vi.waitFor(() => expect(requests(chat)).toBe(2), within)
    page.leave()
  }

  it('of a going-on that did not arrive shows it, and tells the agent once', async () => {
    const outbox = createMemory()
    await leaveGoingOn(outbox, false)
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(onlySend(page)?.phase).toBe('failed'), within)
    expect(onlyKey(page)).toBe(CONTINUE_ID)
    expect(onlySend(page)).toMatchObject({ isSure: false })
    await Promise.all([
      page.store.commands.retry(CONTINUE_ID),
      page.store.commands.retry(CONTINUE_ID),
    ])
    await untilIdle(page)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), within)
    expect(accepted()).toBe(2)
    expect(page.store.getState()).toMatchObject({ sends: {}, error: null })
    expect(outbox.entries).toEqual([])
  })

  it('of a going-on that arrived shows its effect', async () => {
    const outbox = createMemory()
    await leaveGoingOn(outbox, true)
    await vi.waitFor(async () => expect(await stored()).toHaveLength(3), within)
    const page = await openPage({ outbox })
    await vi.waitFor(() => expect(outbox.entries).toEqual([]), within)
    await untilIdle(page)
    expect(page.store.getState().conversation.messages).toHaveLength(3)
    expect(page.store.getState().sends).toEqual({})
    expect(page.errors).toEqual([])
    expect(requests(chat)).toBe(2)
  })
})
