// Small random streams and what AgentScope's newest `append_event` made of them; `npm run test:oracle` makes thousands more.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appendEvent } from '../../src/fold/index.js'
import { parseMessages, type AgentEvent, type Msg } from '../../src/protocol/index.js'
import { throughJson } from './script.js'
import { normalise } from './vectors.js'

/** The file is part of the repository, and the README beside it describes it. */
const { inits, vectors } = JSON.parse(readFileSync('test/vectors/oracle.json', 'utf8')) as {
  inits: readonly Msg[]
  vectors: readonly {
    readonly init: number
    readonly events: readonly AgentEvent[]
    readonly refused: readonly number[]
    readonly expected: Partial<Msg>
  }[]
}
const [fallback] = inits

describe('appendEvent', () => {
  it.each(vectors.map((vector, number) => ({ number, ...vector })))(
    'says the same as Python of random stream $number',
    ({ init, events, refused, expected }) => {
      const [start] = parseMessages([inits[init] ?? fallback]).messages
      if (start === undefined) throw new Error('The stream has no message to begin with.')
      const messages = [start]
      for (const event of events) messages.push(appendEvent(messages.at(-1) ?? start, event))
      const unchanged = refused.filter((at) => messages[at] === messages[at + 1])
      expect(unchanged).toEqual(refused)
      const message = messages.at(-1) ?? start
      const python = { ...start, content: withoutBlockTimes(start), ...expected }
      expect(throughJson(normalise(message, python))).toEqual(python)
    },
  )
})

/** The blocks of a message whose times no event decides: what `expected` leaves out when nothing changed. */
function withoutBlockTimes(message: Msg): Msg['content'] {
  return message.content.map((block) => ({ ...block, created_at: null }))
}
