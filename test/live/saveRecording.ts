import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ask, foldByAgentScope, type LiveSession } from './liveService.js'
import { replies } from './normalise.js'
import type { Wire } from './wire.js'

const folder = process.env['AGENTSCOPE_LIVE_RECORD']

/** Where the service keeps an agent's files: the one thing that is not written as it came. */
const WORKSPACES = /"[^"]*\/workspaces\//g

/**
 * Writes what went over the wire as a recording, if the runner was asked for recordings.
 *
 * @param name - The file's name.
 * @param about - What happens in it.
 * @param session - Whose recording it is; its messages and status are the recording's end.
 */
export async function saveRecording(
  name: string,
  about: string,
  session: LiveSession,
  wire: Wire,
): Promise<void> {
  if (folder === undefined) return
  const messages = await session.storedMessages()
  const folded = await foldByAgentScope(wire.frames())
  const differs = differences(replies(folded), replies(messages))
  const { version } = await ask('GET', '/health')
  const recording = {
    name,
    about,
    server: `agentscope ${String(version)}`,
    session_id: session.sessionId,
    agent_id: session.agentId,
    agent_name: 'Friday',
    fold_equals_final: differs.length === 0,
    ...(differs.length === 0 ? {} : { fold_differs: differs }),
    steps: wire.steps,
    final: { messages, status: await session.status() },
  }
  const text = JSON.stringify(recording).replaceAll(WORKSPACES, '"/workspaces/')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.json`), oneLineSteps(text))
}

function differences(folded: readonly unknown[], stored: readonly unknown[]): readonly string[] {
  const found =
    folded.length === stored.length ? [] : [`${folded.length} replies, ${stored.length} stored`]
  const pairs = stored.map((message, at) => [message, folded[at]] as const)
  return [
    ...found,
    ...pairs.flatMap(([a, b], at) => (isDeepStrictEqual(a, b) ? [] : [`reply ${at}`])),
  ]
}

/** A line per step, so that two recordings can be compared. */
function oneLineSteps(text: string): string {
  const { steps, ...rest }: { steps: readonly unknown[] } = JSON.parse(text)
  const lines = steps.map((step) => JSON.stringify(step)).join(',\n')
  const head = JSON.stringify(rest, null, 1)
  return head.replace('"final"', () => `"steps": [\n${lines}\n],\n"final"`) + '\n'
}
