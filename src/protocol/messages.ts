import type { ContentBlock, DataBlock, TextBlock } from './ContentBlock.js'
import type { JsonObject, JsonValue } from './JsonValue.js'
import type { FinishedReason, Msg, ReplyError, Role, Usage } from './Msg.js'
import { createId, createTimestamp } from './stamp.js'

/** A block as an app may give it to a constructor: the id may be left out. */
export type BlockInit<Block extends ContentBlock> = Block extends ContentBlock
  ? Omit<Block, 'id'> & { readonly id?: string }
  : never

/** What a message is made of. */
export interface MsgInit<Block extends ContentBlock> {
  /** The speaker's name. */
  readonly name: string
  /** Text, or blocks. */
  readonly content: string | readonly BlockInit<Block>[]
  /** The message's id; 32 random hexadecimal digits by default. */
  readonly id?: string
  /** Whatever should travel with it; empty by default. */
  readonly metadata?: JsonObject
  /** ISO time; now by default. */
  readonly created_at?: string
  /** ISO time; for user and system messages `created_at` by default, for an assistant's null (it is still being written). */
  readonly finished_at?: string | null
  /** Why it ended; null by default. */
  readonly finished_reason?: FinishedReason | null
}

/** What an assistant's message is made of. */
export interface AssistantMsgInit extends MsgInit<ContentBlock> {
  /** Tokens used; null by default. */
  readonly usage?: Usage | null
  /** A structured answer; null by default. */
  readonly structured_output?: JsonValue
  /** What went wrong; null by default. */
  readonly error?: ReplyError | null
}

/** Makes a message. A plain function; `new` works too and gives the same plain object. */
export interface MsgConstructor<Init> {
  /** Makes a message. Throws a `TypeError` when a block may not stand in a message of this role. */
  (init: Init): Msg
  /** The same: the result is a plain object, not an instance. */
  new (init: Init): Msg
}

const ALLOWED_BLOCKS: Readonly<Record<Role, ReadonlySet<string> | 'all'>> = {
  user: new Set(['text', 'data']),
  system: new Set(['text']),
  assistant: 'all',
}

function isAllowed(role: Role, type: string): boolean {
  const allowed = ALLOWED_BLOCKS[role]
  return allowed === 'all' || allowed.has(type)
}

function createMsg(role: Role, init: AssistantMsgInit): Msg {
  const createdAt = init.created_at ?? createTimestamp()
  const blocks: readonly BlockInit<ContentBlock>[] =
    typeof init.content === 'string' ? [{ type: 'text', text: init.content }] : init.content
  const wrong = blocks.find((block) => !isAllowed(role, block.type))
  if (wrong !== undefined) {
    throw new TypeError(
      `A ${role} message may not hold a ${wrong.type} block, and the service would refuse it. ` +
        'Leave the block out, or make it an AssistantMsg.',
    )
  }
  return {
    id: init.id ?? createId(),
    name: init.name,
    role,
    content: blocks.map(completeBlock),
    metadata: init.metadata ?? {},
    created_at: createdAt,
    usage: init.usage ?? null,
    finished_at: init.finished_at ?? (role === 'assistant' ? null : createdAt),
    finished_reason: init.finished_reason ?? null,
    structured_output: init.structured_output ?? null,
    error: init.error ?? null,
  }
}

function completeBlock(block: BlockInit<ContentBlock>): ContentBlock {
  return block.id === undefined ? { ...block, id: createId() } : { ...block, id: block.id }
}

/** Lets one function be called and `new`ed; the cast is needed because TypeScript has no way to declare such a function. */
function constructible<Init>(make: (init: Init) => Msg): MsgConstructor<Init> {
  return function construct(init: Init): Msg {
    return make(init)
  } as MsgConstructor<Init>
}

/**
 * Makes a message of the user: text and data blocks only.
 *
 * The id is kept by the service, so that the message shown at once is the message stored.
 * After AgentScope Python's `UserMsg`.
 *
 * @example
 * ```ts
 * backend.send([UserMsg({ name: 'user', content: 'Hello' })])
 * ```
 */
export const UserMsg: MsgConstructor<MsgInit<TextBlock | DataBlock>> = constructible((init) =>
  createMsg('user', init),
)

/** Makes a message of an agent: any block. To fold a reply into, use the reply's id. After AgentScope Python's `AssistantMsg`. */
export const AssistantMsg: MsgConstructor<AssistantMsgInit> = constructible((init) =>
  createMsg('assistant', init),
)

/** Makes a system message: text blocks only. After AgentScope Python's `SystemMsg`. */
export const SystemMsg: MsgConstructor<MsgInit<TextBlock>> = constructible((init) =>
  createMsg('system', init),
)
