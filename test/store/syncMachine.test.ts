import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { INITIAL_SYNC, LOOK_DELAYS_MS, syncMachine } from '../../src/store/syncMachine.js'
import type { SyncEvent, SyncState } from '../../src/store/syncMachine.js'

const ended = (...stopped: readonly string[]): SyncEvent => ({ type: 'moved', stopped, going: [] })
const runs = (...going: readonly string[]): SyncEvent => ({ type: 'moved', stopped: [], going })
const stored = (...ids: readonly string[]): SyncEvent => ({
  type: 'stored',
  isStored: (id) => ids.includes(id),
})
const wanted: SyncEvent = { type: 'wanted' }
const time: SyncEvent = { type: 'time' }
const read: SyncEvent = { type: 'read' }
const failed: SyncEvent = { type: 'failed', canRetry: true }
const refused: SyncEvent = { type: 'failed', canRetry: false }
const closed: SyncEvent = { type: 'closed' }

function after(...events: readonly SyncEvent[]): SyncState {
  return events.reduce(syncMachine, INITIAL_SYNC)
}

function phaseAfter(...events: readonly SyncEvent[]): SyncState['phase'] {
  return after(...events).phase
}

/** A look that finds its page, in the order in which the store tells of it. */
const found = (...ids: readonly string[]): SyncEvent[] => [stored(...ids), read]

describe('syncMachine', () => {
  it('looks at once when a page is wanted, and rests when it is here', () => {
    expect(phaseAfter(wanted)).toBe('reading')
    expect(phaseAfter(wanted, ...found())).toBe('resting')
  })

  it('looks a pause after a reply ended, and rests when it is stored', () => {
    expect(phaseAfter(ended('r'))).toBe('waiting')
    expect(phaseAfter(ended('r'), time)).toBe('reading')
    expect(phaseAfter(ended('r'), time, ...found('r'))).toBe('resting')
  })

  it('looks again after ever longer pauses until all is stored', () => {
    const first = after(ended('r', 's'), time, ...found('r'))
    expect(first).toMatchObject({ phase: 'waiting', pauses: 1, due: new Set(['s']) })
    expect(LOOK_DELAYS_MS.toSorted((one, other) => one - other)).toEqual(LOOK_DELAYS_MS)
  })

  it('is stuck after so many looks, and forgets nothing', () => {
    const looks = LOOK_DELAYS_MS.flatMap(() => [time, ...found()])
    const state = after(ended('r'), ...looks)
    expect(state).toMatchObject({ phase: 'stuck', due: new Set(['r']) })
    expect(syncMachine(state, wanted)).toMatchObject({ phase: 'reading', pauses: 0 })
    expect(syncMachine(state, ended('s'))).toMatchObject({
      phase: 'waiting',
      due: new Set(['r', 's']),
    })
    expect(syncMachine(state, stored('r')).phase).toBe('resting')
  })

  it('looks once more when a page is wanted while one is on its way', () => {
    expect(phaseAfter(wanted, wanted, ...found())).toBe('reading')
    expect(phaseAfter(wanted, wanted, ...found(), ...found())).toBe('resting')
  })

  it('takes any page that is read for what is due', () => {
    expect(phaseAfter(ended('r'), stored('r'))).toBe('resting')
    expect(phaseAfter(wanted, ended('r'), ...found('r'))).toBe('resting')
    expect(phaseAfter(wanted, ended('r'), ...found())).toBe('waiting')
  })

  it('compares nothing that runs again', () => {
    expect(phaseAfter(ended('r'), runs('r'))).toBe('resting')
    expect(phaseAfter(ended('r', 's'), runs('r'))).toBe('waiting')
  })

  it('tries again what failed, and gives up what is refused', () => {
    expect(after(wanted, failed)).toMatchObject({ phase: 'waiting', isWanted: true })
    expect(phaseAfter(wanted, failed, time, ...found())).toBe('resting')
    expect(phaseAfter(wanted, refused)).toBe('stuck')
    expect(phaseAfter(ended('r'), time, refused)).toBe('stuck')
  })

  it('keeps what is due when the stream is closed, for the next one', () => {
    expect(after(ended('r'), closed)).toMatchObject({ phase: 'stuck', due: new Set(['r']) })
    expect(phaseAfter(wanted, closed)).toBe('resting')
    expect(phaseAfter(ended('r'), closed, wanted, ...found('r'))).toBe('resting')
  })

  it('moves as docs/sync.md draws it', () => {
    expect(drawnMoves()).toEqual(possibleMoves())
  })
})

/** Every move that some order of events brings about: `from event to`. */
function possibleMoves(): readonly string[] {
  const events = [wanted, time, read, failed, refused, closed, ended('r'), runs('r'), stored('r')]
  const moves = new Set<string>()
  const known = new Set<string>()
  const open: SyncState[] = [INITIAL_SYNC]
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const key = JSON.stringify({ ...state, due: [...state.due] })
    if (known.has(key)) continue
    known.add(key)
    for (const event of events) {
      if (!canHappen(state, event)) continue
      const next = syncMachine(state, event)
      if (next.phase !== state.phase) moves.add(`${state.phase} ${event.type} ${next.phase}`)
      open.push(next)
    }
  }
  return [...moves].toSorted()
}

/** Time is over only where it was waited for, and only a look ends as one. */
function canHappen({ phase }: SyncState, { type }: SyncEvent): boolean {
  if (type === 'time') return phase === 'waiting'
  return phase === 'reading' || (type !== 'read' && type !== 'failed')
}

function drawnMoves(): readonly string[] {
  const [, diagram = ''] = readFileSync('docs/sync.md', 'utf8').split('```mermaid')
  const [block = ''] = diagram.split('```')
  const lines = block.split('\n')
  const moves = lines.flatMap((line) => {
    const [, from, to, label] = /^ *(\w+) --> (\w+): (.*)$/.exec(line) ?? []
    if (from === undefined || label === undefined) return []
    return label.split(', ').map((event) => `${from} ${event} ${to}`)
  })
  return moves.toSorted()
}
