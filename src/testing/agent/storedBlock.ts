import type {
  ContentBlock,
  DataBlock,
  JsonObject,
  PermissionRule,
  TextBlock,
  ToolCallBlock,
  ToolCallState,
  ToolResultState,
} from '../../protocol/index.js'
import { fromBase64, joinBytes, toBase64 } from './base64.js'
import type { HintStep, OutputScript, ToolCallScript, WritingScript } from './AgentScript.js'

/** A piece of writing on its way: how much of the script has been sent. */
export interface PlacedWriting {
  /** What it is. */
  readonly kind: 'writing'
  /** The script. */
  readonly script: WritingScript
  /** The block's id. */
  readonly id: string
  /** When it began. */
  readonly createdAt: string
  /** How many chunks were sent. */
  sent: number
  /** When it ended, or null. */
  finishedAt: string | null
}

/** A hint that was given. */
interface PlacedHint {
  /** What it is. */
  readonly kind: 'hint'
  /** The script. */
  readonly script: HintStep
  /** The block's id. */
  readonly id: string
  /** When it was given. */
  readonly createdAt: string
}

/** A tool call on its way. */
export interface PlacedCall {
  /** What it is. */
  readonly kind: 'call'
  /** The script. */
  readonly script: ToolCallScript
  /** When it began. */
  readonly createdAt: string
  /** How many chunks of its arguments were sent. */
  sent: number
  /** When its arguments were complete, or null. */
  finishedAt: string | null
  /** Where it stands. */
  state: ToolCallState
  /** The rules that were offered when it asked. */
  rules: readonly PermissionRule[]
}

/** A tool's result on its way. */
export interface PlacedResult {
  /** What it is. */
  readonly kind: 'result'
  /** The call it belongs to. */
  readonly script: ToolCallScript
  /** When it began. */
  readonly createdAt: string
  /** The pieces sent so far, each with the id its stored block has. */
  readonly pieces: { readonly piece: OutputScript; readonly id: string; readonly at: string }[]
  /** When it ended, or null. */
  finishedAt: string | null
  /** How it ended. */
  state: ToolResultState
  /** What the tool said about it. */
  metadata: JsonObject
}

/** What a reply is made of, in the order in which it began. */
export type Placed = PlacedWriting | PlacedHint | PlacedCall | PlacedResult

/**
 * The block that the service stores for what was sent so far of a script.
 *
 * It reads the script and a count, never the events: what the kit folds from the events is compared with this.
 *
 * @param placed - The piece of the script and how far it got.
 */
export function storedBlock(placed: Placed): ContentBlock {
  switch (placed.kind) {
    case 'writing':
      return storedWriting(placed)
    case 'hint': {
      const { source, hint } = placed.script
      const { id, createdAt } = placed
      return { type: 'hint', hint, id, source, created_at: createdAt, finished_at: createdAt }
    }
    case 'call':
      return storedCall(placed)
    case 'result':
      return {
        type: 'tool_result',
        id: placed.script.id,
        name: placed.script.name,
        output: storedOutput(placed),
        state: placed.state,
        metadata: placed.metadata,
        created_at: placed.createdAt,
        finished_at: placed.finishedAt,
      }
  }
}

/** The stored block of a tool call. */
export function storedCall(placed: PlacedCall): ToolCallBlock {
  return {
    type: 'tool_call',
    id: placed.script.id,
    name: placed.script.name,
    input: placed.script.chunks.slice(0, placed.sent).join(''),
    state: placed.state,
    suggested_rules: placed.rules,
    created_at: placed.createdAt,
    finished_at: placed.finishedAt,
  }
}

function storedWriting({ script, id, sent, createdAt, finishedAt }: PlacedWriting): ContentBlock {
  const stamps = { created_at: createdAt, finished_at: finishedAt }
  switch (script.kind) {
    case 'text':
      return { type: 'text', text: script.chunks.slice(0, sent).join(''), id, ...stamps }
    case 'thinking':
      return { type: 'thinking', thinking: script.chunks.slice(0, sent).join(''), id, ...stamps }
    case 'bytes': {
      const data = toBase64(joinBytes(script.chunks.slice(0, sent)))
      const source = { type: 'base64', data, media_type: script.mediaType } as const
      return { type: 'data', id, source, name: script.name, ...stamps }
    }
    case 'link': {
      const source =
        sent > 0
          ? ({ type: 'url', url: script.url, media_type: script.mediaType } as const)
          : ({ type: 'base64', data: '', media_type: script.mediaType } as const)
      return { type: 'data', id, source, name: script.name, ...stamps }
    }
  }
}

/** Neighbouring texts are one block; bytes under an id that is there already are added to its block. */
function storedOutput({ pieces }: PlacedResult): readonly (TextBlock | DataBlock)[] {
  const blocks: (TextBlock | DataBlock)[] = []
  for (const { piece, id, at } of pieces) {
    const last = blocks.at(-1)
    if ('text' in piece) {
      if (last?.type === 'text')
        blocks[blocks.length - 1] = { ...last, text: last.text + piece.text }
      else blocks.push({ type: 'text', text: piece.text, id, created_at: at, finished_at: null })
      continue
    }
    const stamps = { name: null, created_at: at, finished_at: null }
    if ('url' in piece) {
      const source = { type: 'url', url: piece.url, media_type: piece.mediaType } as const
      blocks.push({ type: 'data', id, source, ...stamps })
      continue
    }
    const index = blocks.findIndex((block) => block.id === id && isInline(block))
    const known = blocks[index]
    const before = known !== undefined && isInline(known) ? known.source.data : ''
    const data = toBase64(joinBytes([fromBase64(before), piece.bytes]))
    const source = { type: 'base64', data, media_type: piece.mediaType } as const
    if (known?.type === 'data') blocks[index] = { ...known, source }
    else blocks.push({ type: 'data', id, source, ...stamps })
  }
  return blocks
}

function isInline(
  block: TextBlock | DataBlock,
): block is DataBlock & { readonly source: { readonly type: 'base64'; readonly data: string } } {
  return block.type === 'data' && block.source.type === 'base64'
}
