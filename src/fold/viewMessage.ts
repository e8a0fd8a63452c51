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

/** A block that is shown by itself. */
export interface BlockView<Kind extends string, Block> {
  /** What is shown. */
  readonly kind: Kind
  /** Unique within the message and lasting while the message grows: a React key. Block ids are neither. */
  readonly key: string
  /** The block. */
  readonly block: Block
}

/** A tool call and its result, shown as one; either may be missing. */
export interface ToolView {
  /** What is shown. */
  readonly kind: 'tool'
  /** Unique within the message and lasting while the message grows: a React key. */
  readonly key: string
  /** The call; null when only its result is known. */
  readonly call: ToolCallBlock | null
  /** Its result; null until the tool begins to answer. */
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

/** Message → its views, and block → its view: what did not change keeps its identity, and its component does not render. */
const viewsOfMessages = new WeakMap<Msg, readonly MessageView[]>()
const viewsOfBlocks = new WeakMap<ContentBlock, MessageView>()

/**
 * What there is to show of a message, in order of arrival.
 *
 * Calls are paired with their results by id, the n-th with the n-th. Oddities that the service stores, and that the fold
 * therefore keeps, are tidied here: a call that was started again under its id without ever getting arguments, and a
 * second result that never got any content, are left out.
 *
 * @param message - The message.
 * @returns The views: the same array for the same message, the same view for the same blocks.
 */
export function viewMessage(message: Msg): readonly MessageView[] {
  const known = viewsOfMessages.get(message)
  if (known !== undefined) return known
  const views = createViews(message.content)
  viewsOfMessages.set(message, views)
  return views
}

function createViews(content: readonly ContentBlock[]): readonly MessageView[] {
  const results = collectResults(content)
  const calls = countCalls(content)
  const seen = new Map<string, number>()
  return content.flatMap((block, index): readonly MessageView[] => {
    const key = `${block.type}:${index}`
    if (block.type === 'tool_call') {
      const count = seen.get(block.id) ?? 0
      if (count > 0 && isGhostCall(block)) return []
      seen.set(block.id, count + 1)
      return [createToolView(key, block, results.get(block.id)?.[count] ?? null)]
    }
    if (block.type === 'tool_result') {
      const position = results.get(block.id)?.indexOf(block) ?? -1
      const hasCall = position < (calls.get(block.id) ?? 0)
      return position < 0 || hasCall ? [] : [createToolView(key, null, block)]
    }
    return [createBlockView(key, block)]
  })
}

/** The results of each call, without the ghosts. */
function collectResults(content: readonly ContentBlock[]): Map<string, ToolResultBlock[]> {
  const results = new Map<string, ToolResultBlock[]>()
  for (const block of content) {
    if (block.type !== 'tool_result') continue
    const known = results.get(block.id)
    if (known === undefined) results.set(block.id, [block])
    else if (!isGhostResult(block)) known.push(block)
  }
  return results
}

/** How many calls of each id are shown. */
function countCalls(content: readonly ContentBlock[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const block of content) {
    if (block.type !== 'tool_call') continue
    const count = counts.get(block.id) ?? 0
    if (count === 0 || !isGhostCall(block)) counts.set(block.id, count + 1)
  }
  return counts
}

function isGhostCall({ input, state }: ToolCallBlock): boolean {
  return input === '' && state === 'pending'
}

function isGhostResult({ output, state }: ToolResultBlock): boolean {
  return output.length === 0 && state === 'running'
}

function createToolView(
  key: string,
  call: ToolCallBlock | null,
  result: ToolResultBlock | null,
): MessageView {
  const owner = call ?? result
  const known = owner === null ? undefined : viewsOfBlocks.get(owner)
  if (known?.kind === 'tool' && known.key === key && known.result === result) return known
  const view: MessageView = { kind: 'tool', key, call, result }
  if (owner !== null) viewsOfBlocks.set(owner, view)
  return view
}

type PlainBlock = Exclude<ContentBlock, ToolCallBlock | ToolResultBlock>

function createBlockView(key: string, block: PlainBlock): MessageView {
  const known = viewsOfBlocks.get(block)
  if (known?.key === key) return known
  const view = nameBlock(key, block)
  viewsOfBlocks.set(block, view)
  return view
}

function nameBlock(key: string, block: PlainBlock): MessageView {
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
