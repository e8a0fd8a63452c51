import { describe, expect, it } from 'vitest'
import { JavaSession } from './JavaSession.js'
import { saveRecording } from './saveRecording.js'
import { scenarios } from './scenarios.js'

const url = process.env['AGENTSCOPE_JAVA_URL'] ?? ''

describe('scenarios', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const session = new JavaSession(url)
    await scenario.play(session)
    const memory = await session.memory()
    await saveRecording(scenario, session, memory)
    expect(memory.length).toBeGreaterThan(0)
  })
})
