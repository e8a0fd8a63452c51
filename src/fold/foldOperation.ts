import { type KitOperation, parseBlock } from '../protocol/index.js'
import type { BlockSetOperation, RollbackOperation } from '../protocol/index.js'
import type { ConversationDraft } from './ConversationDraft.js'
import { foldSnapshot } from './foldSnapshot.js'
import { readMessage } from './readMessage.js'
import { findReply, openMessage, startUnheard } from './replies.js'
import { createKey, offer, withdraw, withdrawOwn } from './requests.js'
import { keepAlive } from './trackReply.js'

/**
 * Folds an operation of the kit.
 *
 * @param draft - The conversation.
 * @param operation - The operation; made by this kit, but fields are looked at all the same.
 */
export function foldOperation(draft: ConversationDraft, operation: KitOperation): void {
  draft.open = undefined
  switch (operation.type) {
    case 'kit.snapshot':
      foldSnapshot(draft, operation)
      break
    case 'kit.user_message': {
      const message = readMessage(operation.message)
      const thread = draft.thread(operation.agent_path)
      if (message !== undefined && !thread.has(message.id)) thread.push(message)
      break
    }
    case 'kit.remove_message': {
      const thread = draft.thread(operation.agent_path)
      thread.replace(thread.settle().filter(({ id }) => id !== operation.message_id))
      break
    }
    case 'kit.rollback':
      rollback(draft, operation)
      break
    case 'kit.block_set':
      setBlock(draft, operation)
      break
    case 'kit.input_request': {
      if (typeof operation.request_id !== 'string') break
      const key = createKey(['kit.input', operation.request_id])
      offer(draft, { kind: 'input', key, request: operation })
      break
    }
    case 'kit.input_resolved':
      withdraw(
        draft,
        (request) =>
          request.key === operation.request_id ||
          (request.kind === 'input' && request.request.request_id === operation.request_id),
      )
      break
    case 'kit.gap':
      draft.report({ kind: 'gap', message: 'Something was lost on the way.', raw: operation })
      for (const reply of draft.allReplies()) {
        if (reply.phase !== 'ended') draft.setReply({ ...reply, isComplete: false })
      }
  }
}

function rollback(draft: ConversationDraft, operation: RollbackOperation): void {
  const { reply_id: replyId, mark } = operation
  if (typeof replyId !== 'string' || typeof mark !== 'number') return
  const reply = findReply(draft, replyId, operation.agent_path)
  const message = draft.thread(reply?.agentPath).open(replyId)
  if (message === undefined || !(mark >= 0)) return
  const { content } = message.view()
  if (mark >= content.length) return
  message.replaceContent(content.slice(0, mark))
  withdrawOwn(
    draft,
    replyId,
    ({ toolCall }) => message.find('tool_call', toolCall.id) === undefined,
  )
}

function setBlock(draft: ConversationDraft, operation: BlockSetOperation): void {
  const { reply_id: replyId, agent_path } = operation
  if (typeof replyId !== 'string') return
  const block = parseBlock(operation.block, operation.id ?? replyId)
  if (block === undefined) return
  const reply = findReply(draft, replyId, agent_path) ?? startUnheard(draft, replyId, agent_path)
  const message = openMessage(draft, reply, operation.created_at)
  message.put(block)
  draft.setReply(keepAlive(reply, message))
  if (block.type === 'tool_result' && block.state !== 'running') {
    withdrawOwn(draft, replyId, ({ toolCall }) => toolCall.id === block.id)
  }
}
