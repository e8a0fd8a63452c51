import type { JsonValue } from '../protocol/index.js'
import { completeJson } from './completeJson.js'

/** The arguments of a tool call, as far as they can be read. The raw text is what counts and what is sent back. */
export type ToolInput =
  /** Nothing was written: a tool without parameters. */
  | { readonly kind: 'empty' }
  /** Whole JSON of any type; large numbers are rounded here, not in the raw text. */
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** Still being written; `value` is what can be read so far, or null. */
  | { readonly kind: 'partial'; readonly value: JsonValue; readonly raw: string }
  /** Written, and no JSON: cut off by an interrupt, or wrong. */
  | { readonly kind: 'invalid'; readonly raw: string }

/**
 * Reads the raw arguments of a tool call. Never throws.
 *
 * @param input - The raw text.
 * @param isOpen - Whether more may come: what is incomplete is then no mistake, and its readable part only grows.
 * @returns What the text is, with its value as far as it can be read.
 */
export function parseToolInput(input: string, isOpen: boolean): ToolInput {
  if (input.trim() === '') return { kind: 'empty' }
  const whole = readJson(input)
  if (whole !== undefined) return { kind: 'json', value: whole }
  if (!isOpen) return { kind: 'invalid', raw: input }
  const completed = completeJson(input)
  const value = completed === null ? undefined : readJson(completed)
  return { kind: 'partial', value: value ?? null, raw: input }
}

function readJson(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What `JSON.parse` gives is JSON. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined
}
