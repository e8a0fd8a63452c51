// @vitest-environment node
import { describe, expect, it, onTestFinished } from 'vitest'
import { TransportError, type ConnectionState } from '../../src/protocol/index.js'
import { keepConnected, type Line } from '../../src/transports/keepConnected.js'
import { createTestClock } from './createTestClock.js'

/** Keeps lines that end only when they are told to. */
function keep() {
  const clock = createTestClock()
  const states: ConnectionState[] = []
  const lines: (Line & { readonly breakOff: () => void })[] = []
  const handle = keepConnected(
    (line) =>
      new Promise((_, reject) => {
        const breakOff = () => reject(new TransportError('closed', 'Gone.'))
        lines.push({ ...line, breakOff })
      }),
    { clock, random: () => 1, onState: (state) => states.push(state) },
  )
  onTestFinished(() => handle.close())
  return { clock, states, lines, phases: () => states.map(({ phase }) => phase) }
}

describe('keepConnected', () => {
  it('hears nothing more of a line that it gave up, and loses no other line by it', async () => {
    const { clock, lines, phases } = keep()
    lines[0]?.opened()
    clock.advance(75_000)
    expect(phases()).toEqual(['connecting', 'open', 'waiting'])
    expect(lines[0]?.signal.aborted).toBe(true)
    lines[0]?.opened()
    expect(phases().at(-1)).toBe('waiting')
    clock.advance(1_000)
    lines[1]?.opened()
    lines[0]?.breakOff()
    await Promise.resolve()
    // Nor does its noise make a silent line live.
    clock.advance(74_000)
    lines[0]?.alive()
    clock.advance(1_000)
    expect(phases()).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open', 'waiting'])
  })
})
