import type { ConversationInput, Msg } from '../../protocol/index.js'

/** The names of a reply: the one on the wire, and those it has here. */
export interface ReplyName {
  /** As the dialect has it; ids of blocks begin with it. */
  readonly wire: string
  /** The reply's id here. */
  readonly id: string
  /** What ids of its inputs end with, where they could be mistaken for others of the same reply. */
  readonly suffix: string
}

/**
 * Gives an input the names that its reply has here.
 *
 * @param input - What the dialect made.
 * @param name - The names.
 */
export function renameInput(input: ConversationInput, name: ReplyName): ConversationInput {
  const { wire, id, suffix } = name
  const named =
    suffix === '' || input.id === undefined ? input : { ...input, id: input.id + suffix }
  if (named.type === 'CUSTOM') {
    const { value } = named
    if (value?.['reply_id'] !== wire) return named
    return { ...named, value: { ...value, reply_id: id } }
  }
  if (!('reply_id' in named) || named.reply_id !== wire) return named
  const own = { ...named, reply_id: id }
  if ('block_id' in own) return { ...own, block_id: renameBlock(own.block_id, name) }
  if ('block' in own) {
    return { ...own, block: { ...own.block, id: renameBlock(own.block.id, name) } }
  }
  return own
}

/**
 * Gives a stored message another id, and its blocks those that go with it.
 *
 * @param message - The message.
 * @param id - Its id from now on.
 */
export function renameMessage(message: Msg, id: string): Msg {
  const name = { wire: message.id, id, suffix: '' }
  const content = message.content.map((block) => ({ ...block, id: renameBlock(block.id, name) }))
  return { ...message, id, content }
}

function renameBlock(blockId: string, { wire, id }: ReplyName): string {
  return blockId.startsWith(`${wire}:`) ? id + blockId.slice(wire.length) : blockId
}
