import type { TextBlock } from '../protocol/index.js'

/** How a text came about: it is `before` with `added` behind it. */
export interface TextGrowth {
  /** The text before the last commit that added to it. */
  readonly before: string
  /** What that commit added. */
  readonly added: string
}

/** Each with the text that it explains, since a block's text may also be replaced. */
const growths = new WeakMap<object, TextGrowth & { readonly text: string }>()

/**
 * How a block's text grew last, for readers that would not read all of it again: putting a long text together in memory takes longer
 * than showing what is new.
 *
 * @param block - The block.
 * @returns Undefined when that is not known, as after a replacement or for a block that has ended.
 */
export function getTextGrowth(block: TextBlock): TextGrowth | undefined {
  const growth = growths.get(block)
  return growth?.text === block.text ? growth : undefined
}

/** Adds to the text of a block that a draft owns. */
export function growText(block: TextBlock & { text: string }, delta: string): void {
  const { before, added } = getTextGrowth(block) ?? { before: block.text, added: '' }
  block.text += delta
  growths.set(block, { before, added: added + delta, text: block.text })
}

/** Lets go of how a text grew: it would keep all the parts it was made of. */
export function forgetGrowth(block: object): void {
  growths.delete(block)
}
