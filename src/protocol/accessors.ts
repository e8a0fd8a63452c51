import type { ContentBlock, ContentBlockType } from './ContentBlock.js'
import type { Msg } from './Msg.js'

/** The block that belongs to the name of a kind. */
export type BlockOfType<Type extends ContentBlockType> = Extract<
  ContentBlock,
  { readonly type: Type }
>

/**
 * The text of a message: its text blocks, without thinking, hints and tools.
 *
 * @param msg - The message.
 * @param separator - Stands between two blocks; a line break by default, as in AgentScope Python.
 * @returns The text, or null when the message has no text block.
 */
export function getTextContent(msg: Msg, separator = '\n'): string | null {
  const texts = getContentBlocks(msg, 'text').map((block) => block.text)
  return texts.length === 0 ? null : texts.join(separator)
}

/**
 * The blocks of a message, all or of one kind.
 *
 * @param msg - The message.
 * @returns Its blocks in order; an empty array when there are none.
 */
export function getContentBlocks(msg: Msg): readonly ContentBlock[]
/**
 * The blocks of a message of one kind.
 *
 * @param msg - The message.
 * @param type - The kind wanted.
 * @returns Its blocks of that kind in order; an empty array when there are none.
 */
export function getContentBlocks<Type extends ContentBlockType>(
  msg: Msg,
  type: Type,
): readonly BlockOfType<Type>[]
export function getContentBlocks(msg: Msg, type?: ContentBlockType): readonly ContentBlock[] {
  return type === undefined ? msg.content : msg.content.filter((block) => block.type === type)
}

/**
 * The first block of one kind.
 *
 * @param msg - The message.
 * @param type - The kind wanted.
 * @returns The block, or undefined when there is none.
 */
export function getFirstContentBlock<Type extends ContentBlockType>(
  msg: Msg,
  type: Type,
): BlockOfType<Type> | undefined {
  return getContentBlocks(msg, type)[0]
}

/**
 * Tells whether a message has blocks, at all or of one kind.
 *
 * @param msg - The message.
 * @param type - The kind wanted; any by default.
 * @returns `true` when there is at least one.
 */
export function hasContentBlocks(msg: Msg, type?: ContentBlockType): boolean {
  return type === undefined
    ? msg.content.length > 0
    : msg.content.some((block) => block.type === type)
}
