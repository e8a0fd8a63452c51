import {
  type Anomaly,
  type ConversationInput,
  isJsonObject,
  type KitOperation,
  parseEvent,
} from '../protocol/index.js'
import type { Conversation } from './Conversation.js'
import { ConversationDraft } from './ConversationDraft.js'
import { foldCustom } from './foldCustom.js'
import { foldOperation } from './foldOperation.js'
import { foldReplyEvent } from './foldReplyEvent.js'
import { foldRun } from './foldRun.js'

const OPERATIONS: Readonly<Record<KitOperation['type'], true>> = {
  'kit.rollback': true,
  'kit.block_set': true,
  'kit.snapshot': true,
  'kit.user_message': true,
  'kit.remove_message': true,
  'kit.input_request': true,
  'kit.input_resolved': true,
  'kit.gap': true,
}

/**
 * Folds inputs into a conversation: events of the stream, history, and the kit's own operations, in order of arrival.
 *
 * An input whose id was seen before changes nothing, nor does an event that the stored message of its reply already holds;
 * so replays and overlaps with history may come as they like. Any way of cutting inputs into batches gives the same
 * conversation, and so does a conversation that was stored as JSON in between.
 *
 * @param conversation - The conversation so far. Never written to.
 * @param inputs - What came in. Any JSON is survived.
 * @param onAnomaly - Hears of what was odd and survived.
 * @returns The conversation with the inputs: the very same object when nothing changed. Messages, blocks, replies and requests
 * that no input touches are shared with the old one.
 */
export function applyEvents(
  conversation: Conversation,
  inputs: readonly ConversationInput[],
  onAnomaly: (anomaly: Anomaly) => void = ignore,
): Conversation {
  if (inputs.length === 0) return conversation
  const draft = new ConversationDraft(conversation, onAnomaly)
  let index = 0
  while (index < inputs.length) {
    const next = foldRun(draft, inputs, index)
    if (next === index) applyInput(draft, inputs[index])
    index = Math.max(next, index + 1)
  }
  return draft.commit()
}

function ignore(): void {}

function applyInput(draft: ConversationDraft, input: unknown): void {
  if (!isJsonObject(input)) {
    draft.report({ kind: 'not-an-event', message: 'An input must be an object.', raw: input })
    return
  }
  const { id } = input
  if (typeof id === 'string' && !draft.seen.add(id)) return
  if (isOperation(input)) {
    foldOperation(draft, input)
    return
  }
  const { event, anomalies } = parseEvent(input)
  if (event === undefined) anomalies.forEach((anomaly) => draft.report(anomaly))
  else if (event.type === 'CUSTOM') foldCustom(draft, event)
  else foldReplyEvent(draft, event)
}

/** Operations are made by this kit, so only what could break the fold is looked at here. */
function isOperation(input: unknown): input is KitOperation {
  if (!isJsonObject(input)) return false
  const { type, agent_path: path = [] } = input
  return (
    typeof type === 'string' &&
    Object.hasOwn(OPERATIONS, type) &&
    Array.isArray(path) &&
    path.every((name) => typeof name === 'string')
  )
}
