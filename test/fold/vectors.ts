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
  const { vectors } = JSON.parse(readFileSync('test/vectors/append-event.json', 'utf8')) as {
    vectors: Vector[]
  }
  return vectors
}

/**
 * The message with what Python made up or took from its clock made equal; see the README of the vectors.
 *
 * @param message - The message folded here.
 * @param expected - Python's; where it has the id `*`, any id is right.
 */
export function normalise(message: Msg, expected: Msg): unknown {
  return { ...message, content: normaliseBlocks(message.content, expected.content) }
}

function normaliseBlocks(blocks: unknown, expected: unknown): unknown {
  if (!Array.isArray(blocks) || !Array.isArray(expected)) return blocks
  return blocks.map((block, index) => normaliseBlock(block, expected[index]))
}

function normaliseBlock(block: unknown, expected: unknown): unknown {
  if (!isJsonObject(block) || !isJsonObject(expected)) return block
  const clean: Record<string, unknown> = { ...block, created_at: null }
  clean['finished_at'] = block['type'] === 'hint' ? null : (block['finished_at'] ?? null)
  if (expected['id'] === '*' && block['id'] !== '') clean['id'] = '*'
  if (block['type'] === 'data') clean['name'] = block['name'] ?? null
  if (block['type'] === 'hint') clean['hint'] = normaliseBlocks(block['hint'], expected['hint'])
  if (block['type'] === 'tool_result') {
    clean['output'] = normaliseBlocks(block['output'], expected['output'])
  }
  return clean
}
