import type { BlockInit, DataBlock, Msg, TextBlock, ToolResultBlock } from '../protocol/index.js'
import type { OutputScript } from './agent/AgentScript.js'
import { toBase64 } from './agent/base64.js'
import type { Marks } from './agent/Marks.js'
import { scene } from './agent/scene.js'
import type { Scenario, ScenarioOptions, ScenarioRecording } from './Scenario.js'
import { ScenarioRun } from './ScenarioRun.js'

/** What happens in a scenario. */
type Act = (run: ScenarioRun) => void

const runs = new WeakMap<Scenario, () => ScenarioRun>()

/**
 * Begins a conversation that is made up step by step.
 *
 * @param options - Seed, names, time.
 * @returns An empty one; its methods make it longer.
 *
 * @example
 * ```ts
 * const asked = createScenario()
 *   .user('Delete the old logs')
 *   .reply('I will.', toolCall('c1', 'delete_files', { path: '/logs' }, { needs: 'approval' }))
 * const approved = asked.approve()
 * const denied = asked.deny()
 * approved.events // the stream, approved.messages // what is stored
 * ```
 */
export function createScenario(options: ScenarioOptions = {}): Scenario {
  return scenarioOf(options, [])
}

/**
 * Plays a scenario once more, from its beginning: for a backend, that goes on where it ends.
 *
 * @param scenario - One that `createScenario` made.
 */
export function playScenario(scenario: Scenario): ScenarioRun {
  const play = runs.get(scenario)
  if (play === undefined) {
    throw new TypeError('This is no scenario: make one with createScenario() and its methods.')
  }
  return play()
}

function scenarioOf(options: ScenarioOptions, acts: readonly Act[]): Scenario {
  const play = (): ScenarioRun => {
    const run = new ScenarioRun(options)
    for (const act of acts) act(run)
    run.settle()
    return run
  }
  // At once, so that a mistake shows where it is made and not where the result is read.
  const played = play()
  const then = (act: Act): Scenario => scenarioOf(options, [...acts, act])
  const decided =
    (confirmed: boolean) =>
    (...callIds: readonly string[]): Scenario =>
      then((run) => {
        run.decide(idsOf(run, callIds).map((id) => ({ id, confirmed })))
        run.playAll()
      })
  const scenario: Scenario = {
    events: played.events,
    inputs: played.inputs,
    messages: played.session.messages,
    status: played.status,
    waitingCalls: played.waitingCalls,
    user: (content) =>
      then((run) => {
        run.say(userMessage(run.marks, options.userName ?? 'user', content))
        run.playAll()
      }),
    reply: (...parts) =>
      then((run) => {
        run.reply(scene(...parts))
        run.playAll()
      }),
    replyUpTo: (events, ...parts) =>
      then((run) => {
        const before = run.session.log.newest
        run.reply(scene(...parts))
        run.playUpTo(before + events)
      }),
    finish: () => then((run) => run.playAll()),
    goOn: (...parts) =>
      then((run) => {
        run.goOn(scene(...parts))
        run.playAll()
      }),
    approve: decided(true),
    deny: decided(false),
    decide: (decisions) =>
      then((run) => {
        run.decide(decisions)
        run.playAll()
      }),
    submit: (id, output, state = 'success') =>
      then((run) => {
        run.submit({ id, state, output: outputBlocks(run.marks, output) })
        run.playAll()
      }),
    interrupt: () =>
      then((run) => {
        run.interrupt()
        run.playAll()
      }),
    announce: (name, value) =>
      then((run) => {
        run.session.announce(name, value)
      }),
    toRecording: () => recordingOf(played),
  }
  runs.set(scenario, play)
  return scenario
}

/** The calls that are named, or all that ask. */
function idsOf(run: ScenarioRun, callIds: readonly string[]): readonly string[] {
  if (callIds.length > 0) return callIds
  const asking = run.waitingCalls.filter(({ state }) => state === 'asking')
  if (asking.length === 0) throw new Error('No call asks here, so there is nothing to decide.')
  return asking.map(({ id }) => id)
}

/**
 * A message of the person, as the service stores it.
 *
 * @param marks - Gives ids and times.
 * @param name - Who speaks.
 * @param content - Text or blocks.
 */
export function userMessage(
  marks: Marks,
  name: string,
  content: string | readonly BlockInit<TextBlock | DataBlock>[],
): Msg {
  const given: readonly BlockInit<TextBlock | DataBlock>[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const created_at = marks.stamp()
  const stamps = { created_at, finished_at: null }
  return {
    id: marks.id(),
    name,
    role: 'user',
    content: given.map((block) => ({ ...stamps, ...block, id: block.id ?? marks.id() })),
    metadata: {},
    created_at,
    usage: null,
    finished_at: created_at,
    finished_reason: null,
    structured_output: null,
    error: null,
  }
}

function outputBlocks(
  marks: Marks,
  output: string | readonly OutputScript[],
): ToolResultBlock['output'] {
  if (typeof output === 'string') return output
  return output.map((piece) => {
    if ('text' in piece) return { type: 'text', id: marks.id(), text: piece.text }
    const { id, mediaType: media_type } = piece
    const source =
      'url' in piece
        ? ({ type: 'url', url: piece.url, media_type } as const)
        : ({ type: 'base64', data: toBase64(piece.bytes), media_type } as const)
    return { type: 'data', id, name: null, source }
  })
}

function recordingOf(run: ScenarioRun): ScenarioRecording {
  const { session, steps, pace } = run
  return {
    name: `scenario-${session.id.slice(0, 8)}`,
    session_id: session.id,
    steps: [...steps, { kind: 'close', t_ms: pace.elapsedMs, conn: 1 }],
    final: { messages: session.messages, status: session.status },
  }
}
