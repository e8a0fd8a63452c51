import { describe, it } from 'vitest'
import { expectAgreement } from './expectAgreement.js'
import { JavaSession } from './JavaSession.js'
import { required } from './required.js'
import { saveRecording } from './saveRecording.js'
import { scenarios } from './scenarios.js'

describe('an agent behind the HTTP server of the JDK', () => {
  it.each(scenarios)('is folded to what it says and remembers: $name', async (scenario) => {
    const session = new JavaSession(`${required('AGENTSCOPE_JAVA_URL')}/agent`)
    await scenario.play(session)
    const memory = await session.memory()
    await saveRecording(scenario, session, memory)
    expectAgreement(scenario, session.turns, memory)
  })
})

describe('an agent behind the controller of docs/java.md', () => {
  it.each(scenarios)('is folded to what it says and remembers: $name', async (scenario) => {
    const session = new JavaSession(`${required('AGENTSCOPE_SPRING_URL')}/agent`)
    await scenario.play(session)
    expectAgreement(scenario, session.turns, await session.memory())
  })
})
