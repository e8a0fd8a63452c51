import type { ContentBlock } from '../protocol/index.js'
import type { ReplyInfo } from './Conversation.js'

/**
 * Tells whether a block is still being written: it has no end, and its reply runs. A block that an error cut off never gets
 * an end, so without the reply it would count as open for ever.
 *
 * @param block - The block.
 * @param reply - What is known about its reply; undefined for a message that only history knows.
 * @returns Whether more of it may come.
 */
export function isBlockOpen(block: ContentBlock, reply: ReplyInfo | undefined): boolean {
  return (block.finished_at ?? null) === null && reply?.phase === 'running' && reply.hasBegun
}
