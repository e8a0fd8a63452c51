import type { ContentBlock, DataBlock, Msg, TextBlock } from '../../src/protocol/index.js'

/** A block without ids and stamps. */
type ToldBlock =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly data: string; readonly type: string; readonly name?: string }
  | { readonly hint: unknown; readonly from: string | null }
  | { readonly call: string; readonly input: string; readonly state: string }
  | { readonly result: string; readonly output: readonly ToldBlock[]; readonly state: string }
  | { readonly unknown: unknown }

/** A message without ids and stamps. */
export interface ToldMessage {
  readonly name: string
  readonly blocks: readonly ToldBlock[]
  /** Why it ended; left out while it has not. */
  readonly end?: string
  /** Tokens in and out; left out when there were none. */
  readonly tokens?: readonly [number, number]
  /** The user's own. */
  readonly role?: string
  /** What went wrong. */
  readonly error?: string
}

/** What messages say, ids and stamps aside: what must be equal however a stream was spelled. */
export function tellMessages(messages: readonly Msg[]): readonly ToldMessage[] {
  return messages.map(({ name, role, content, usage, finished_reason, error }) => ({
    name,
    blocks: content.map(tellBlock),
    ...(finished_reason === null ? {} : { end: finished_reason }),
    ...(usage === null ? {} : { tokens: [usage.input_tokens, usage.output_tokens] as const }),
    ...(role === 'assistant' ? {} : { role }),
    ...(error === null ? {} : { error: error.message }),
  }))
}

function tellBlock(block: ContentBlock): ToldBlock {
  switch (block.type) {
    case 'text':
      return { text: block.text }
    case 'thinking':
      return { thinking: block.thinking }
    case 'data':
      return tellData(block)
    case 'hint':
      return { hint: block.hint, from: block.source }
    case 'tool_call':
      return { call: block.name, input: block.input, state: block.state }
    case 'tool_result':
      return { result: block.name, output: tellOutput(block.output), state: block.state }
    case 'kit.unknown':
      return { unknown: block.block }
  }
}

function tellOutput(output: string | readonly (TextBlock | DataBlock)[]): readonly ToldBlock[] {
  return typeof output === 'string' ? [{ text: output }] : output.map(tellBlock)
}

function tellData({ source, name }: DataBlock): ToldBlock {
  const data = source.type === 'url' ? source.url : source.data
  return { data, type: source.media_type, ...(name === null ? {} : { name }) }
}
