import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../src/entries/core.js'
import type { JavaSession } from './JavaSession.js'
import type { Scenario } from './scenarios.js'
import type { Turn } from './wire.js'

const folder = process.env['AGENTSCOPE_JAVA_RECORD']

/**
 * Writes what went over the wire as a recording, if the runner was asked for recordings: a line per frame, as it was written.
 *
 * @param scenario - What was played.
 * @param session - With whom.
 * @param memory - What the agent remembered after it.
 */
export async function saveRecording(
  scenario: Scenario,
  session: JavaSession,
  memory: readonly JsonObject[],
): Promise<void> {
  if (folder === undefined) return
  const head = JSON.stringify({
    name: scenario.name,
    about: scenario.about,
    server: `agentscope-core ${process.env['AGENTSCOPE_JAVA_VERSION'] ?? 'unknown'}`,
    session_id: session.sessionId,
  })
  const text = `${head.slice(0, -1)},
"turns": [
${session.turns.map(turnText).join(',\n')}
],
"memory": [
${memory.map((message) => JSON.stringify(message)).join(',\n')}
]}
`
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${scenario.name}.json`), text)
}

function turnText({ frames, interruptedAfter, ...turn }: Turn): string {
  const head = JSON.stringify({ ...turn, interrupted_after: interruptedAfter })
  return `${head.slice(0, -1)},"frames":[\n${frames.join(',\n')}\n]}`
}
