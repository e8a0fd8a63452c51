import { readdirSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { recordingBackend } from '../../src/backends/index.js'
import type { Recording } from '../../src/backends/index.js'
import { equalsStored } from '../../src/fold/index.js'
import { parseMessages } from '../../src/protocol/index.js'
import type { ConversationInput } from '../../src/protocol/index.js'
import { createChatStore, selectPhase } from '../../src/store/index.js'

const folder = 'test/recordings/agentscope-python'
const names = readdirSync(folder).map((file) => file.replace('.json', ''))

/** The recordings are the project's own, so their shape is known. */
function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as Recording
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('createChatStore with recorded sessions', () => {
  it.each(names)('ends with what the service stored: %s', async (name) => {
    const recording = readRecording(name)
    const store = createChatStore(recordingBackend(recording, { speed: 1, history: true }))
    onTestFinished(store.connect())
    await vi.advanceTimersByTimeAsync(120_000)
    const stored = parseMessages(recording.final?.messages).messages
    const ids = new Set(stored.map(({ id }) => id))
    // A session without a model does not store what the person said; it stays on the screen.
    const messages = store
      .getState()
      .conversation.messages.filter(({ id, role }) => role !== 'user' || ids.has(id))
    expect(messages.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
    const different = messages.filter((message, index) => {
      const other = stored[index]
      return other === undefined || !equalsStored(message, other)
    })
    expect(different).toEqual([])
    const isParked = recording.final?.status?.startsWith('awaiting') === true
    expect(selectPhase(store.getState())).toBe(isParked ? 'awaiting-person' : 'idle')
  })

  it('tells of each recorded event once, although it was replayed', async () => {
    const heard: ConversationInput[] = []
    const recording = readRecording('reconnect-mid-run')
    const store = createChatStore(recordingBackend(recording, { speed: 'instant' }), {
      onEvent: (event) => heard.push(event),
    })
    onTestFinished(store.connect())
    await vi.advanceTimersByTimeAsync(1_000)
    const ids = heard.flatMap(({ id }) => id ?? [])
    const sent = recording.steps.flatMap((step) =>
      'event' in step && typeof step.event === 'object' && step.event !== null && 'id' in step.event
        ? [step.event.id]
        : [],
    )
    expect(sent.length).toBeGreaterThan(new Set(sent).size)
    expect(ids).toEqual([...new Set(sent)])
  })
})
