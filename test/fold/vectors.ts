import { readFileSync } from 'node:fs'
import { isJsonObject, type AgentEvent, type Msg } from '../../src/protocol/index.js'

/** A case of `test/vectors/append-event.json`; its README says what the fields mean. */
export interface Vector {
  readonly name: string
  readonly row?: number
  readonly kind?: string
  readonly quirks?: readonly string[]
  readonly init: Msg
  readonly events: readonly AgentEvent[]
  readonly expected: Msg | { readonly raises: string; readonly at: number }
  readonly left?: Msg
  readonly expected_without_repeats?: Msg
  readonly after?: readonly (Msg | { readonly raises: string })[]
}

/** All vectors, as Python made them. */
export function readVectors(): readonly Vector[] {
  // The file is part of the repository, and its README describes it.
  const { vectors } = JSON.parse(readFileSync('test/vectors/append-event.json', 'utf8')) as { vectors: Vector[] }
  return vectors
}

/** What Python made up or took from its clock, made equal; see the README of the vectors. */
export function normalise(message: Msg): unknown {
  return { ...message, content: message.content.map((block) => normaliseBlock(block, false)) }
}

function normaliseBlock(block: unknown, isInner: boolean): unknown {
  if (!isJsonObject(block)) return block
  const clean: Record<string, unknown> = { ...block, created_at: null }
  clean['finished_at'] = block['type'] === 'hint' ? null : (block['finished_at'] ?? null)
  if (block['type'] === 'hint' && Array.isArray(block['hint'])) {
    clean['hint'] = block['hint'].map((piece) => normaliseBlock(piece, false))
  }
  if (block['type'] === 'tool_result' && Array.isArray(block['output'])) {
    clean['output'] = block['output'].map((piece) => normaliseBlock(piece, true))
  }
  if (isInner && block['type'] === 'text') clean['id'] = '*'
  if (isInner && block['type'] === 'data' && (block['name'] ?? null) === null) clean['name'] = null
  return clean
}
