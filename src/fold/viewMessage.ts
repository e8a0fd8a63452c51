import type {
  ContentBlock,
  DataBlock,
  HintBlock,
  Msg,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
  UnknownBlock,
} from '../protocol/index.js'
import { isEqualJson } from './isEqualJson.js'

/** A block to show. */
export interface BlockView<Kind extends string, Block> {
  /** The block's kind. */
  readonly kind: Kind
  /** Unique within the message, and the same for as long as the block is there: a React key. */
  readonly key: string
  /** The block. */
  readonly block: Block
}

/** A tool call with its result. */
export interface ToolView {
  /** The item's kind. */
  readonly kind: 'tool'
  /** Unique within the message, and the same for as long as the call or its result is there: a React key. */
  readonly key: string
  /** The call; null for a result whose call was not heard. */
  readonly call: ToolCallBlock | null
  /** The result; null until there is one. */
  readonly result: ToolResultBlock | null
}

/** One thing to show of a message. */
export type MessageView =
  | BlockView<'text', TextBlock>
  | BlockView<'thinking', ThinkingBlock>
  | BlockView<'data', DataBlock>
  | BlockView<'hint', HintBlock>
  | BlockView<'unknown', UnknownBlock>
  | ToolView

const views = new WeakMap<Msg, readonly MessageView[]>()
/** Items by the block they show; an item is used again when its other half is the same too. */
const items = new WeakMap<ContentBlock, MessageView>()

/**
 * What to show of a message, in order. Calls stand with their results (the n-th call of an id with its n-th result), and what
 * the service stores only by mistake is left out: empty repeats of a block, such as a call that was begun twice.
 *
 * Pure, and cheap to call again: the same message gives the same array, and an item stays the same object for as long
 * as its blocks do.
 *
 * @param message - The message. Empty blocks that are no repeats are shown; whether to draw them is the drawer's choice.
 * @returns An item for each block that is shown; one for a call and its result.
 */
export function viewMessage(message: Msg): readonly MessageView[] {
  const known = views.get(message)
  if (known !== undefined) return known
  const view = createView(message.content)
  views.set(message, view)
  return view
}

function createView(content: readonly ContentBlock[]): readonly MessageView[] {
  const shown = withoutGhosts(content)
  const results = new Map<string, ToolResultBlock>()
  const calls = new Set<string>()
  const keys = shown.map(createKeys())
  for (const [index, block] of shown.entries()) {
    const key = keys[index] ?? ''
    if (block.type === 'tool_result') results.set(key, block)
    if (block.type === 'tool_call') calls.add(key)
  }
  return shown.flatMap((block, index): readonly MessageView[] => {
    const key = keys[index] ?? ''
    if (block.type === 'tool_call') return [viewTool(key, block, results.get(key) ?? null)]
    if (block.type !== 'tool_result') return [viewBlock(key, block)]
    return calls.has(key) ? [] : [viewTool(key, null, block)]
  })
}

/** The n-th call of an id and its n-th result have one key. The number comes first, so that no id can look like another's repeat. */
function createKeys(): (block: ContentBlock) => string {
  const counts = new Map<string, number>()
  return ({ type, id }) => {
    const count = counts.get(`${type}:${id}`) ?? 0
    counts.set(`${type}:${id}`, count + 1)
    const kind = type === 'tool_call' || type === 'tool_result' ? 'tool' : type
    return `${kind}:${count}:${id}`
  }
}

/** Events of a repeated id go to its first block, so a later one is empty: nobody meant it. */
function withoutGhosts(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const firsts = new Map<string, ContentBlock>()
  return content.filter((block) => {
    const key = `${block.type}:${block.id}`
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, block)
    return first === undefined || !isGhost(block, first)
  })
}

function isGhost(block: ContentBlock, first: ContentBlock): boolean {
  switch (block.type) {
    case 'text':
      return block.text === ''
    case 'thinking':
      return block.thinking === ''
    case 'data':
      return block.source.type === 'base64' && block.source.data === ''
    case 'tool_call':
      return block.input === '' && block.state === 'pending'
    case 'tool_result':
      return block.state === 'running' && block.output.length === 0
    case 'hint':
      return first.type === 'hint' && isEqualJson(first.hint, block.hint)
    case 'kit.unknown':
      return false
  }
}

function viewTool(
  key: string,
  call: ToolCallBlock | null,
  result: ToolResultBlock | null,
): MessageView {
  const block = call ?? result
  const known = block === null ? undefined : items.get(block)
  if (known?.kind === 'tool' && known.key === key && known.result === result) return known
  const item: MessageView = { kind: 'tool', key, call, result }
  if (block !== null) items.set(block, item)
  return item
}

function viewBlock(
  key: string,
  block: Exclude<ContentBlock, ToolCallBlock | ToolResultBlock>,
): MessageView {
  const known = items.get(block)
  if (known?.key === key) return known
  const item = createItem(key, block)
  items.set(block, item)
  return item
}

function createItem(
  key: string,
  block: Exclude<ContentBlock, ToolCallBlock | ToolResultBlock>,
): MessageView {
  switch (block.type) {
    case 'text':
      return { kind: 'text', key, block }
    case 'thinking':
      return { kind: 'thinking', key, block }
    case 'data':
      return { kind: 'data', key, block }
    case 'hint':
      return { kind: 'hint', key, block }
    case 'kit.unknown':
      return { kind: 'unknown', key, block }
  }
}
