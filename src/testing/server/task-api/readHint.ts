import type { HintBlock, JsonObject } from '../../../protocol/index.js'
import { parseObject } from './toolPayload.js'

/** Who may speak to the agent besides the person, as the API calls them. */
const SOURCES = [
  'guidance',
  'notify',
  'presend',
  'sub_agent',
  'background_command',
  'goal',
  'goal_prompt',
  'goal_review',
  'compression',
  'compression_handoff',
  'permission',
  'sandbox',
  'skill',
  'workflow',
]

/** Senders whose words only the agent gets. */
const HIDDEN = ['goal_prompt', 'permission', 'sandbox', 'skill']

/** What scripts call their senders, and what they are called here. */
const SENDERS: Readonly<Record<string, string>> = {
  team: 'sub_agent',
  team_message: 'sub_agent',
  tool_output: 'background_command',
}

/**
 * A hint, as the API puts it into a conversation: a message of the user that nobody typed.
 *
 * @param hint - The hint, streamed or stored.
 * @param source - Its sender.
 */
export function readHint(hint: HintBlock['hint'], source: string | null | undefined): JsonObject {
  const { label: given } = parseObject(source ?? '') ?? {}
  const label = typeof given === 'string' ? given : (source ?? '')
  const known = SOURCES.includes(label) ? label : (SENDERS[label] ?? 'notify')
  const words =
    typeof hint === 'string'
      ? hint
      : hint.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n')
  const visibility = HIDDEN.includes(known) ? 'hidden' : known === 'presend' ? 'chat' : 'compact'
  const told = { message_source: known, visibility, starts_work: false }
  return {
    message: `[${label === '' ? known : label}] ${words}`,
    ...told,
    runtime_guidance_original: words,
    images: [],
    videos: [],
    media_refs: [],
    metadata: told,
  }
}
