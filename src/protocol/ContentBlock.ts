import type { JsonObject } from './JsonValue.js'
import type { OpenEnum } from './OpenEnum.js'
import type { PermissionRule } from './PermissionRule.js'

/** The two stamps every block carries: naive ISO times in the server's zone, comparable only with each other. */
export interface BlockStamps {
  /** When the block began; null where no event said so. */
  readonly created_at?: string | null
  /** When it was closed; null while it is open (or was never closed, such as a text cut off by an error). */
  readonly finished_at?: string | null
}

/** Text of the answer, or of the user: markdown. */
export interface TextBlock extends BlockStamps {
  /** The block's kind. */
  readonly type: 'text'
  /** Unique among the text blocks of one message on a healthy stream. */
  readonly id: string
  /** The text so far. */
  readonly text: string
}

/** The model's reasoning. Providers may add keys such as `signature` to the stored block; they are kept. */
export interface ThinkingBlock extends BlockStamps {
  /** The block's kind. */
  readonly type: 'thinking'
  /** Unique among the thinking blocks of one message on a healthy stream. */
  readonly id: string
  /** The reasoning so far; empty when the provider redacted it. */
  readonly thinking: string
}

/** Bytes that came inline. */
export interface Base64Source {
  /** The source's kind. */
  readonly type: 'base64'
  /** Such as `image/png`. */
  readonly media_type: string
  /** Base64 of all bytes so far, with correct padding. */
  readonly data: string
}

/** Bytes that stay elsewhere. Nothing loads them until the URL policy or the person allows it. */
export interface UrlSource {
  /** The source's kind. */
  readonly type: 'url'
  /** As it came; may be relative or hostile. */
  readonly url: string
  /** Such as `image/png`. */
  readonly media_type: string
}

/** An image, a sound, a video or a file. */
export interface DataBlock extends BlockStamps {
  /** The block's kind. */
  readonly type: 'data'
  /** Unique among the data blocks of one message on a healthy stream. */
  readonly id: string
  /** Where its bytes are. */
  readonly source: Base64Source | UrlSource
  /** A file name, if the sender gave one. */
  readonly name: string | null
}

/** Something the agent was told besides the user's words: a reminder, a team member's message, a late tool result. */
export interface HintBlock extends BlockStamps {
  /** The block's kind. */
  readonly type: 'hint'
  /** Unique among the hint blocks of one message on a healthy stream. */
  readonly id: string
  /** The hint; text may be wrapped in a `<system-reminder>` element. */
  readonly hint: string | readonly (TextBlock | DataBlock)[]
  /** The sender: plain text, or JSON with `label` and `sublabel`. */
  readonly source: string | null
}

/** Where a tool call stands on its way from the model's pen to its result. */
export type ToolCallState = OpenEnum<'pending' | 'asking' | 'allowed' | 'submitted' | 'finished'>

/** A tool call the model wrote. */
export interface ToolCallBlock extends BlockStamps {
  /** The block's kind. */
  readonly type: 'tool_call'
  /** The call's id; its result block has the same one. */
  readonly id: string
  /** The tool's name. */
  readonly name: string
  /** The arguments as raw JSON text; incomplete while they stream, and possibly for ever after an interrupt. */
  readonly input: string
  /** Where the call stands. */
  readonly state: ToolCallState
  /** Rules a person may accept together with an approval. */
  readonly suggested_rules: readonly PermissionRule[]
  /** What else is known about the call, such as an intent; AgentScope Python sends none. */
  readonly metadata?: JsonObject
}

/** How a tool call ended; `running` until then. */
export type ToolResultState = OpenEnum<'running' | 'success' | 'error' | 'interrupted' | 'denied'>

/** What a tool gave back. */
export interface ToolResultBlock extends BlockStamps {
  /** The block's kind. */
  readonly type: 'tool_result'
  /** The id of its call. */
  readonly id: string
  /** The tool's name. */
  readonly name: string
  /** Text, or pieces of text and data in order of arrival. */
  readonly output: string | readonly (TextBlock | DataBlock)[]
  /** How it ended. */
  readonly state: ToolResultState
  /** What the tool says about its result, such as a `diff`. */
  readonly metadata: JsonObject
}

/** A block of a type this version does not know, kept whole: a newer service may store one. Never sent. */
export interface UnknownBlock extends BlockStamps {
  /** The block's kind: one of ours, so that it cannot collide with the wire's. */
  readonly type: 'kit.unknown'
  /** The block's own id, or one derived from its message. */
  readonly id: string
  /** The block as it came. */
  readonly block: JsonObject
}

/** A piece of a message. */
export type ContentBlock =
  TextBlock | ThinkingBlock | DataBlock | HintBlock | ToolCallBlock | ToolResultBlock | UnknownBlock

/** The name of a kind of block. */
export type ContentBlockType = ContentBlock['type']
