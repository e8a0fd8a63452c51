import type { AgentScript, Cue, Scene } from './AgentScript.js'

/**
 * The reply that an agent's script chooses. A script that fails to choose gives a reply that says so.
 *
 * @param agent - The agent.
 * @param cue - What the reply is made for.
 */
export function chooseScene(agent: AgentScript, cue: Cue): Scene {
  try {
    return agent.perform(cue)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { steps: [{ kind: 'end', reason: 'error', error: { type: 'internal', message } }] }
  }
}
