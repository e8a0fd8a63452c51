import type {
  BlockOfType,
  ContentBlock,
  ContentBlockType,
  DataBlock,
  Msg,
} from '../protocol/index.js'
import { type Base64Text, splitBase64 } from './base64.js'
import type { FoldOutcome } from './FoldOutcome.js'
import { forgetGrowth, growText } from './textGrowth.js'

/** The same shape, open for writing: only what a draft owns has it. */
export type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] }

/** Where the first block of a type and an id stands. Each type has its own ids. */
type BlockIndex = Map<ContentBlockType, Map<string, number>>

/**
 * The index of a list of blocks outlives the batch that made it, or every batch would read all blocks again.
 * It goes along to the longer list, and an old list that is used again makes its own.
 */
const indexes = new WeakMap<readonly ContentBlock[], BlockIndex>()
/** Base64 in two parts, by the source that holds both joined. */
const splitSources = new WeakMap<object, Base64Text>()

/**
 * A message while a batch of events is folded into it: mutable inside, seen by nobody, and turned into
 * an immutable message once by `commit`. Blocks that no event touches stay the very same objects.
 */
export class MessageDraft {
  readonly #base: Msg
  /** The message with the fields changed so far, its content apart. */
  #changed: Msg
  #content: readonly ContentBlock[]
  #ownContent: ContentBlock[] | undefined
  #index: BlockIndex | undefined
  readonly #owned = new Set<object>()
  /** The block that was last opened for writing: deltas come in rows. */
  #last: ContentBlock | undefined
  readonly #growing = new Map<DataBlock, Base64Text>()

  constructor(message: Msg) {
    this.#base = message
    this.#changed = message
    this.#content = message.content
  }

  /** A field of the message as it is now. */
  get<Field extends keyof Msg>(field: Field): Msg[Field] {
    return this.#changed[field]
  }

  /** The message as it is now, for reading; not to be kept. */
  view(): Msg {
    return { ...this.#changed, content: this.#content }
  }

  /** The stamp of what an event closes: never null, or what was closed would count as open for ever. */
  closingStamp(created: string | undefined): string {
    return created ?? this.get('created_at')
  }

  /** Changes fields of the message other than its content. */
  set(fields: Partial<Omit<Msg, 'content' | 'id'>>): void {
    const current = this.#changed
    if (!holds(current, fields)) this.#changed = { ...current, ...fields }
  }

  /** The first block of a type and an id, for reading. */
  find<Type extends ContentBlockType>(type: Type, id: string): BlockOfType<Type> | undefined {
    const position = this.#indexOfBlocks().get(type)?.get(id)
    const block = position === undefined ? undefined : this.#content[position]
    return isOfType(block, type) ? block : undefined
  }

  /** The first block of a type and an id, for writing. */
  own<Type extends ContentBlockType>(
    type: Type,
    id: string,
  ): Mutable<BlockOfType<Type>> | undefined {
    const last = this.#last
    if (last?.id === id && isOfType(last, type)) return last
    const position = this.#indexOfBlocks().get(type)?.get(id)
    if (position === undefined) return undefined
    const block = this.#content[position]
    if (!isOfType(block, type)) return undefined
    const owned = this.#owned.has(block) ? block : this.adopt({ ...block })
    if (owned !== block) this.#writable()[position] = owned
    this.#last = owned
    return owned
  }

  /** Sets fields of the first block of a type and an id; nothing is copied when they have these values. */
  write<Type extends ContentBlockType>(
    type: Type,
    id: string,
    fields: Partial<Omit<BlockOfType<Type>, 'type' | 'id'>>,
  ): FoldOutcome {
    const block = this.find(type, id)
    if (block === undefined) return 'orphan'
    if (!holds(block, fields)) forgetGrowth(Object.assign(this.own(type, id) ?? {}, fields))
    return 'done'
  }

  /** Adds to the end of what a block says; an empty delta changes nothing. */
  grow(type: 'text' | 'thinking' | 'tool_call', id: string, delta: string): FoldOutcome {
    if (delta === '') return this.find(type, id) === undefined ? 'orphan' : 'done'
    const block = this.own(type, id)
    if (block === undefined) return 'orphan'
    if (block.type === 'text') growText(block, delta)
    else if (block.type === 'thinking') block.thinking += delta
    else block.input += delta
    return 'done'
  }

  /** Whether an object was made in this draft, so that it may be written to. */
  owns<Value extends object>(value: Value): value is Mutable<Value> {
    return this.#owned.has(value)
  }

  /** Remembers an object as made in this draft. */
  adopt<Value extends object>(value: Value): Value {
    this.#owned.add(value)
    return value
  }

  /** Adds a block that was made here at the end. */
  push(block: ContentBlock): FoldOutcome {
    this.#append(this.adopt(block))
    return 'done'
  }

  #append(block: ContentBlock): void {
    const index = this.#indexOfBlocks()
    const content = this.#writable()
    addToIndex(index, block, content.length)
    content.push(block)
  }

  /** Puts a block in the place of the first of its type and id, or adds it at the end. */
  put(block: ContentBlock): void {
    const position = this.#indexOfBlocks().get(block.type)?.get(block.id)
    if (position === undefined) this.#append(block)
    else this.#writable()[position] = block
    this.#last = undefined
  }

  /** Puts other blocks in the place of all. */
  replaceContent(content: readonly ContentBlock[]): void {
    this.#ownContent = [...content]
    this.#content = this.#ownContent
    this.#index = undefined
    this.#last = undefined
  }

  /** The base64 of a block, in two parts. */
  base64Of(block: DataBlock): Base64Text {
    const growing = this.#growing.get(block)
    if (growing !== undefined) return growing
    const { source } = block
    if (source.type !== 'base64') return { head: '', tail: '' }
    return splitSources.get(source) ?? splitBase64(source.data)
  }

  /** Sets the base64 of a block that this draft owns; its source is written when it is read. */
  growBase64(block: Mutable<DataBlock>, text: Base64Text): void {
    this.#growing.set(block, text)
  }

  /** Writes what has grown into the block's source, and forgets the two parts. */
  settleBase64(block: Mutable<DataBlock>): void {
    const text = this.#growing.get(block)
    if (text === undefined || block.source.type !== 'base64') return
    const source = { ...block.source, data: text.head + text.tail }
    splitSources.set(source, text)
    block.source = source
    this.#growing.delete(block)
  }

  /** The message as it is now: the very same object when nothing was changed. The draft must not be used after. */
  commit(): Msg {
    for (const [block] of this.#growing) if (this.owns(block)) this.settleBase64(block)
    if (this.#ownContent !== undefined && this.#index !== undefined) {
      indexes.set(this.#ownContent, this.#index)
    }
    const isSame = this.#ownContent === undefined && this.#changed === this.#base
    return isSame ? this.#base : this.view()
  }

  #indexOfBlocks(): BlockIndex {
    if (this.#index !== undefined) return this.#index
    const index = indexes.get(this.#content) ?? createIndex(this.#content)
    if (this.#ownContent === undefined) indexes.set(this.#content, index)
    this.#index = index
    return index
  }

  #writable(): ContentBlock[] {
    if (this.#ownContent !== undefined) return this.#ownContent
    // From here on the index describes the new list.
    indexes.delete(this.#content)
    const content = [...this.#content]
    this.#ownContent = content
    this.#content = content
    return content
  }
}

function createIndex(content: readonly ContentBlock[]): BlockIndex {
  const index: BlockIndex = new Map()
  for (const [position, block] of content.entries()) addToIndex(index, block, position)
  return index
}

function addToIndex(index: BlockIndex, block: ContentBlock, position: number): void {
  const positions = index.get(block.type)
  if (positions === undefined) index.set(block.type, new Map([[block.id, position]]))
  else if (!positions.has(block.id)) positions.set(block.id, position)
}

function holds<Shape extends object>(value: Shape, fields: Partial<Shape>): boolean {
  for (const name in fields) if (value[name] !== fields[name]) return false
  return true
}

function isOfType<Type extends ContentBlockType>(
  block: ContentBlock | undefined,
  type: Type,
): block is BlockOfType<Type> {
  return block?.type === type
}
