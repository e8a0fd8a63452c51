import {
  type DataBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Msg,
  type ToolResultBlock,
} from '../../src/entries/core.js'

/**
 * What a reply says, without what differs between the stream and the memory: ids, and where the texts of a model call stand
 * among its calls (the memory joins them and puts them first).
 */
export type NormalForm = readonly Step[]

/** What the model said until tools gave it something. */
interface Step {
  thinking: string
  text: string
  readonly calls: Call[]
}

interface Call {
  readonly name: string
  readonly input: JsonValue
  result: { readonly state: string; readonly output: readonly string[] } | null
}

/** A block of either side, in neutral words. */
type Piece =
  | { readonly kind: 'thinking' | 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: JsonValue }
  | {
      readonly kind: 'result'
      readonly id: string
      readonly state: string
      readonly output: readonly string[]
    }

/** Our message. */
export function formOfMessage(message: Msg): NormalForm {
  return createForm(
    message.content.flatMap((block): readonly Piece[] => {
      if (block.type === 'text') return [{ kind: 'text', text: block.text }]
      if (block.type === 'thinking') return [{ kind: 'thinking', text: block.thinking }]
      if (block.type === 'tool_call') {
        const { id, name } = block
        return [{ kind: 'call', id, name, input: JSON.parse(block.input) }]
      }
      if (block.type === 'data') return [{ kind: 'text', text: sourceOf(block) }]
      if (block.type !== 'tool_result') throw new Error(`Not compared: ${JSON.stringify(block)}`)
      const { id, state } = block
      // How we say of a call that nothing more became known of it.
      if (state === 'running' && outputOf(block).length === 0) return []
      return [{ kind: 'result', id, state, output: outputOf(block) }]
    }),
  )
}

/** The memory's messages of one reply. */
export function formOfMemory(messages: readonly JsonObject[]): NormalForm {
  return createForm(messages.flatMap(blocksOf).map(readJavaBlock))
}

/** The blocks of one of Java's messages. */
export function blocksOf(message: JsonObject): readonly JsonObject[] {
  const { content } = message
  return Array.isArray(content) ? content.filter(isJsonObject) : []
}

function readJavaBlock(block: JsonObject): Piece {
  const text = (name: string): string => wordOf(block[name])
  switch (block['type']) {
    case 'text':
      return { kind: 'text', text: text('text') }
    case 'thinking':
      return { kind: 'thinking', text: text('thinking') }
    case 'data':
    case 'image':
      return { kind: 'text', text: javaSourceOf(block) }
    case 'tool_use':
      return { kind: 'call', id: text('id'), name: text('name'), input: block['input'] ?? null }
    case 'tool_result':
      return { kind: 'result', id: text('id'), state: text('state'), output: javaOutputOf(block) }
    default:
      throw new Error(`Not compared: ${JSON.stringify(block)}`)
  }
}

function createForm(pieces: readonly Piece[]): NormalForm {
  const steps: Step[] = []
  const calls = new Map<string, Call>()
  let step: Step | undefined
  for (const piece of pieces) {
    if (piece.kind === 'result') {
      step = undefined
      const call = calls.get(piece.id)
      if (call === undefined) throw new Error(`A result without a call: ${piece.id}`)
      const { state, output } = piece
      // What the model is told of a denied call is in an event only when no other call asks.
      call.result = { state, output: state === 'denied' ? [] : output }
      continue
    }
    if (step === undefined) {
      step = { thinking: '', text: '', calls: [] }
      steps.push(step)
    }
    if (piece.kind === 'call') {
      const call: Call = { name: piece.name, input: piece.input, result: null }
      calls.set(piece.id, call)
      step.calls.push(call)
    } else step[piece.kind] += piece.text
  }
  return steps
}

function outputOf({ output }: ToolResultBlock): readonly string[] {
  if (typeof output === 'string') return [output]
  return output.map((block) => (block.type === 'text' ? block.text : sourceOf(block)))
}

function javaOutputOf({ output }: JsonObject): readonly string[] {
  const blocks = Array.isArray(output) ? output.filter(isJsonObject) : []
  return blocks.map((block) => ('source' in block ? javaSourceOf(block) : wordOf(block['text'])))
}

function sourceOf({ source }: DataBlock): string {
  return source.type === 'base64' ? `${source.media_type}:${source.data}` : source.url
}

function javaSourceOf({ source }: JsonObject): string {
  if (!isJsonObject(source)) throw new Error(`Not compared: ${JSON.stringify(source)}`)
  return `${wordOf(source['media_type'])}:${wordOf(source['data'])}`
}

function wordOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  throw new Error(`Not a text: ${JSON.stringify(value)}`)
}
