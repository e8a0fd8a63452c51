import type { JsonObject, JsonValue, ToolResultState } from '../../../protocol/index.js'
import { isJsonObject } from '../../../protocol/index.js'

/** What is known of a tool's result. */
export interface ToolOutput {
  /** The tool. */
  readonly name: string
  /** How it ended. */
  readonly state: ToolResultState
  /** The text it gave. */
  readonly text: string
  /** Where the files are that it gave. */
  readonly files: readonly string[]
  /** What it said about itself. */
  readonly metadata: JsonObject
  /** The question that was asked before, if one was. */
  readonly approvalId: string | null
}

/** What the tool does not need to be told: that it may not run here. */
export const NOT_ALLOWED = 'tool_not_allowed'

/** The tool that asks the person. */
export const ASK_USER = 'ask_user'

/**
 * The `result` of a tool, as `update_action` tells it and as it is stored.
 *
 * @param output - What is known of it.
 */
export function toolPayload(output: ToolOutput): JsonObject {
  const { name, state, text, files, metadata, approvalId } = output
  if (state === 'denied') {
    const asked = approvalId === null ? {} : { approval_id: approvalId }
    return {
      success: false,
      status: 'rejected',
      code: 'approval_rejected',
      ...asked,
      message: text,
    }
  }
  if (state === 'interrupted') {
    return { success: false, status: 'cancelled', tool: name, message: text }
  }
  if (metadata['code'] === NOT_ALLOWED) {
    return { success: false, status: 'denied', code: NOT_ALLOWED, tool: name, message: text }
  }
  if (state === 'error') return { success: false, error: text }
  if (name === ASK_USER) {
    return { success: true, answer_text: text, answers: metadata['answers'] ?? [] }
  }
  const value = parseObject(text)
  if (value !== undefined && files.length === 0) return value
  return { success: true, output: text, ...(files.length > 0 && { files }) }
}

/** What a tool leaves behind for the monitor; null when it says nothing about itself. */
export function monitorSnapshot({ name, state, metadata }: ToolOutput): JsonObject | null {
  const isTold = state === 'success' && name !== ASK_USER && Object.keys(metadata).length > 0
  return isTold ? metadata : null
}

/** Reads the arguments of a call. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Where the bytes of a block are, in a workspace. */
export function pathOf(id: string, mediaType: string, name?: string | null): string {
  const extension = /^[^/]+[/](?:x-)?([a-z0-9]+)/.exec(mediaType)?.[1] ?? 'bin'
  return `uploads/${name ?? `${id}.${extension}`}`
}
