// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../src/protocol/index.js'
import { expectAgreement } from '../../live-java/expectAgreement.js'
import { scenarios } from '../../live-java/scenarios.js'
import type { Turn } from '../../live-java/wire.js'

const FOLDER = 'test/recordings-java'

interface Recording {
  readonly turns: readonly Turn[]
  readonly memory: readonly JsonObject[]
}

function readRecording(name: string): Recording {
  const { turns, memory } = JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8'))
  return { turns: objects(turns).map(readTurn), memory: objects(memory) }
}

function readTurn({ path, body, status, ended, frames }: JsonObject): Turn {
  if (!isJsonObject(body) || typeof path !== 'string') throw new Error('A turn without a body.')
  return {
    path,
    body,
    status: Number(status),
    ended: ended === 'eof' ? 'eof' : 'broken',
    frames: objects(frames).map((frame) => JSON.stringify(frame)),
  }
}

function objects(values: unknown): readonly JsonObject[] {
  return Array.isArray(values) ? values.filter(isJsonObject) : []
}

describe('recordings of AgentScope Java', () => {
  it('are one for each scenario', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'))
    expect(files).toEqual(scenarios.map(({ name }) => `${name}.json`).toSorted())
  })

  it.each(scenarios)('are folded to what the agent said and remembers: $name', (scenario) => {
    const { turns, memory } = readRecording(scenario.name)
    expectAgreement(scenario, turns, memory)
  })
})
