import type { JsonObject, PermissionRule } from '../../protocol/index.js'
import type {
  BytesScript,
  HintStep,
  LinkScript,
  TextScript,
  ToolCallScript,
  ToolOutcome,
} from './AgentScript.js'

/** Characters per chunk: uneven as a model's, the same every time. */
const CHUNK_LENGTHS = [6, 11, 8, 14, 5, 12, 9, 4]

/**
 * Cuts a text into chunks as a model would send it. No character is cut in two.
 *
 * @param words - The text; empty gives no chunk.
 * @param sizes - Characters per chunk, in turns; uneven by default.
 * @returns The chunks; together they are the text.
 */
export function chunksOf(
  words: string,
  sizes: readonly number[] = CHUNK_LENGTHS,
): readonly string[] {
  const characters = Array.from(words)
  const chunks: string[] = []
  for (let at = 0; at < characters.length;) {
    const length = Math.max(1, sizes[chunks.length % sizes.length] ?? characters.length)
    chunks.push(characters.slice(at, at + length).join(''))
    at += length
  }
  return chunks
}

/**
 * Text that an agent writes.
 *
 * @param markdown - The text.
 * @param sizes - Characters per delta, in turns; uneven as a model's by default.
 */
export function text(markdown: string, ...sizes: readonly number[]): TextScript {
  return { kind: 'text', chunks: chunksOf(markdown, sizes.length > 0 ? sizes : undefined) }
}

/**
 * What an agent thinks.
 *
 * @param words - The thought.
 * @param sizes - Characters per delta, in turns; uneven as a model's by default.
 */
export function thinking(words: string, ...sizes: readonly number[]): TextScript {
  return { kind: 'thinking', chunks: chunksOf(words, sizes.length > 0 ? sizes : undefined) }
}

/**
 * Bytes that an agent sends: a voice, a picture, a file.
 *
 * @param id - The block's id, unique within its reply.
 * @param mediaType - Such as `image/png`.
 * @param chunks - The bytes, in the pieces in which they arrive.
 * @param name - A file name; none by default.
 */
export function bytes(
  id: string,
  mediaType: string,
  chunks: readonly Uint8Array[],
  name: string | null = null,
): BytesScript {
  return { kind: 'bytes', id, mediaType, chunks, name }
}

/**
 * Data that stays elsewhere.
 *
 * @param id - The block's id, unique within its reply.
 * @param mediaType - Such as `video/mp4`.
 * @param url - Where it is.
 * @param name - A file name; none by default.
 */
export function link(
  id: string,
  mediaType: string,
  url: string,
  name: string | null = null,
): LinkScript {
  return { kind: 'link', id, mediaType, url, name }
}

/**
 * A tool call.
 *
 * @param id - Unique within its reply.
 * @param name - The tool.
 * @param args - Its arguments.
 * @param how - How it runs and what comes of it; a text is a result that succeeds.
 */
export function toolCall(
  id: string,
  name: string,
  args: JsonObject,
  how: string | Omit<ToolCallScript, 'id' | 'name' | 'chunks'> = {},
): ToolCallScript {
  const input = JSON.stringify(args)
  const more = typeof how === 'string' ? { outcome: () => success(how) } : how
  return { id, name, chunks: chunksOf(input), ...more }
}

/**
 * A result of text alone.
 *
 * @param words - The text; it comes in bursts of lines.
 * @param metadata - What the tool says about it; nothing by default.
 */
export function success(words: string, metadata: JsonObject = {}): ToolOutcome {
  return { output: chunksOfLines(words).map((piece) => ({ text: piece })), metadata }
}

/** A tool's output comes in bursts of lines. */
function chunksOfLines(words: string): readonly string[] {
  const lines = words.split(/(?<=\n)/)
  const perBurst = Math.max(1, Math.ceil(lines.length / 12))
  return Array.from({ length: Math.ceil(lines.length / perBurst) }, (_, index) =>
    lines.slice(index * perBurst, (index + 1) * perBurst).join(''),
  )
}

/**
 * A rule that a question offers, to allow such calls from then on.
 *
 * @param tool_name - The tool.
 * @param rule_content - Which calls of it, in the tool's own words; `null` = all.
 */
export function suggestion(tool_name: string, rule_content: string | null): PermissionRule {
  return { tool_name, rule_content, behavior: 'allow', source: 'suggested' }
}

/**
 * A hint with the sender as the service writes it.
 *
 * @param label - The kind of sender.
 * @param sublabel - Which one.
 * @param hint - What it says.
 */
export function hint(label: string, sublabel: string, words: string): HintStep {
  return { kind: 'hint', source: JSON.stringify({ label, sublabel }), hint: words }
}
