import type { JsonObject } from '../../protocol/index.js'
import { mediaTypeOfBytes, mediaTypeOfName } from './mediaTypes.js'
import type { Output } from './Output.js'
import { readField, readText } from './readField.js'
import { readPlace } from './readSource.js'
import { nextId, type OpenBlock, type Run } from './Run.js'

/** A kind of block that is streamed. */
export type BlockKind = OpenBlock['kind']

const PREFIXES = { text: 'TEXT', thinking: 'THINKING', data: 'DATA' } as const

/**
 * A block begins. Java calls all texts of a run `text`, so a start under a name whose block is closed begins a new block.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param kind - The block's kind.
 * @param frame - The event.
 */
export function startBlock(out: Output, run: Run, kind: BlockKind, frame: JsonObject): void {
  const key = keyOf(kind, frame)
  const known = run.blocks.get(key)
  if (known?.isOpen === true && !known.isImplied) return
  closeImplied(out, run)
  openBlock(out, run, kind, frame, false)
}

/**
 * A block grows: the latest of its name, closed or not. A delta of a block that never began begins one.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param kind - The block's kind.
 * @param frame - The event.
 */
export function growBlock(out: Output, run: Run, kind: BlockKind, frame: JsonObject): void {
  const key = keyOf(kind, frame)
  const latest = run.blocks.get(key)
  const known = latest?.isImplied === true && !latest.isOpen ? undefined : ofThis(frame, latest)
  const delta = readText(frame, 'delta', kind === 'data' ? 'data' : 'text') ?? ''
  if (known === undefined && delta === '' && kind !== 'data') return
  if (known === undefined) closeImplied(out, run)
  const block = known ?? openBlock(out, run, kind, frame, true)
  if (kind === 'data') growData(out, run, block, frame)
  else {
    block.isFilled = true
    if (kind === 'text') run.said += delta
    out.tell(run, { type: `${PREFIXES[kind]}_BLOCK_DELTA`, block_id: block.id, delta })
  }
}

/**
 * A block ends.
 *
 * @param out - Hears of it.
 * @param run - The run.
 * @param kind - The block's kind.
 * @param frame - The event; it may bring the whole text, which counts.
 */
export function endBlock(out: Output, run: Run, kind: BlockKind, frame: JsonObject): void {
  const key = keyOf(kind, frame)
  const text = kind === 'data' ? undefined : readText(frame, 'fullText', 'text')
  const known = ofThis(frame, run.blocks.get(key))
  if (known === undefined && !text) return
  if (known === undefined) closeImplied(out, run)
  const block = known ?? openBlock(out, run, kind, frame, true)
  if (!block.isOpen && text === undefined) return
  if (kind === 'text' && text !== undefined) run.said = text
  // The end of a thought has no place for its words.
  if (kind === 'thinking' && text && !block.isFilled) {
    out.tell(run, { type: 'THINKING_BLOCK_DELTA', block_id: block.id, delta: text })
  }
  block.isFilled = true
  if (kind === 'text' || block.isOpen) {
    closeBlock(out, run, block, kind === 'text' ? text : undefined)
  }
  if (run.implied === key) run.implied = undefined
}

/** Ends all blocks that are open. */
export function closeBlocks(out: Output, run: Run): void {
  for (const block of run.blocks.values()) if (block.isOpen) closeBlock(out, run, block)
  run.blocks.clear()
  run.implied = undefined
}

/** Ends the block that nobody else will end. */
export function closeImplied(out: Output, run: Run): void {
  if (run.implied === undefined) return
  const block = run.blocks.get(run.implied)
  if (block?.isOpen === true) closeBlock(out, run, block)
  run.implied = undefined
}

/** Tells a text, or a thought, whole. */
export function tellText(
  out: Output,
  run: Run,
  text: string,
  kind: 'TEXT' | 'THINKING' = 'TEXT',
): void {
  closeImplied(out, run)
  const block_id = nextId(run, `${run.wireId}:result`)
  if (kind === 'TEXT') run.said += text
  out.tell(run, { type: `${kind}_BLOCK_START`, block_id })
  out.tell(run, { type: `${kind}_BLOCK_DELTA`, block_id, delta: text })
  out.tell(run, { type: `${kind}_BLOCK_END`, block_id })
}

/** A hint, whole. Java's `source` is the way to the agent; the sender is `hintSource`. */
export function tellHint(out: Output, run: Run, frame: JsonObject): void {
  const hint = readField(frame, 'hint')
  const source =
    readText(frame, 'hintSource') ?? (isCanonical(frame) ? readText(frame, 'source') : undefined)
  closeImplied(out, run)
  out.tell(run, {
    type: 'HINT_BLOCK',
    block_id: nextId(run, idPrefix(run, 'hint', frame)),
    hint: typeof hint === 'string' ? hint : JSON.stringify(hint ?? ''),
    source: source ?? null,
  })
}

/** Whether a hint is spelled as Python does it, where `source` is the sender. */
export function isCanonical(frame: JsonObject): boolean {
  return frame['reply_id'] !== undefined && readField(frame, 'hintSource') === undefined
}

function openBlock(
  out: Output,
  run: Run,
  kind: BlockKind,
  frame: JsonObject,
  isImplied: boolean,
): OpenBlock {
  const block: OpenBlock = {
    kind,
    id: nextId(run, idPrefix(run, kind, frame)),
    isOpen: true,
    isFilled: false,
    isImplied,
    isTold: kind !== 'data',
    mediaType: readText(frame, 'mediaType', 'mimeType'),
  }
  const key = keyOf(kind, frame)
  run.blocks.set(key, block)
  if (isImplied) run.implied = key
  if (kind === 'data') {
    run.hasData = true
    if (block.mediaType !== undefined) tellData(out, run, block, block.mediaType, frame)
  } else out.tell(run, { type: `${PREFIXES[kind]}_BLOCK_START`, block_id: block.id })
  return block
}

function closeBlock(out: Output, run: Run, block: OpenBlock, text?: string): void {
  block.isOpen = false
  if (!block.isTold) return
  const { id: block_id, kind } = block
  if (text !== undefined) out.tell(run, { type: 'TEXT_BLOCK_END', block_id, text })
  else out.tell(run, { type: `${PREFIXES[kind]}_BLOCK_END`, block_id })
}

/** Java's events of data name no media type, so the first bytes tell it. */
function growData(out: Output, run: Run, block: OpenBlock, frame: JsonObject): void {
  const url = readText(frame, 'url')
  const data = readText(frame, 'data', 'delta')
  if (url === undefined && data === undefined) return
  const place = url === undefined ? undefined : readPlace(url)
  const media_type =
    readText(frame, 'mediaType', 'mimeType') ??
    block.mediaType ??
    (data === undefined ? undefined : mediaTypeOfBytes(data)) ??
    mediaTypeOfName(url ?? '') ??
    'application/octet-stream'
  if (!block.isTold) tellData(out, run, block, media_type, { name: place?.name ?? null, ...frame })
  const what = place === undefined ? { data: data ?? '' } : { url: place.url }
  out.tell(run, { type: 'DATA_BLOCK_DELTA', block_id: block.id, media_type, ...what })
}

function tellData(
  out: Output,
  run: Run,
  block: OpenBlock,
  media_type: string,
  frame: JsonObject,
): void {
  block.isTold = true
  const name = readText(frame, 'name', 'fileName')
  const named = name === undefined ? {} : { name }
  out.tell(run, { type: 'DATA_BLOCK_START', block_id: block.id, media_type, ...named })
}

/** Without an id of the model call, a name that is closed may be of an earlier one. */
function ofThis(frame: JsonObject, latest: OpenBlock | undefined): OpenBlock | undefined {
  const isLate = latest?.isOpen === false && readText(frame, 'replyId') === undefined
  return isLate ? undefined : latest
}

function keyOf(kind: BlockKind, frame: JsonObject): string {
  return JSON.stringify([kind, readText(frame, 'replyId'), readText(frame, 'blockId')])
}

function idPrefix(run: Run, kind: string, frame: JsonObject): string {
  return `${readText(frame, 'replyId') ?? run.wireId}:${readText(frame, 'blockId') ?? kind}`
}
