import { ownEntry } from '../../hooks/index.js'
import type { ToolWords } from '../../i18n/index.js'
import { isJsonObject } from '../../protocol/index.js'
import type { IconName } from '../icon/Icon.js'

/** A tool call in words. */
export interface ToolDescription {
  /** What it does ("Read"), or the tool's name in words ("Get weather"). */
  readonly verb: string
  /** The argument that tells one call from another, on one line; null when there is none. */
  readonly argument: string | null
  /** Its kind's icon. */
  readonly icon: IconName
}

const icons: Readonly<Record<string, IconName>> = {
  bash: 'terminal',
  powershell: 'terminal',
  read: 'file',
  write: 'pencil',
  edit: 'pencil',
  glob: 'search',
  grep: 'search',
  websearch: 'world',
  webfetch: 'world',
  askuser: 'question',
  ask_user: 'question',
}

/** Arguments that say most about a call, most telling first. */
const telling = [
  ...['command', 'cmd', 'file_path', 'path', 'pattern', 'query', 'url', 'subject', 'title', 'name'],
]
const ARGUMENT_LENGTH = 200

/**
 * Puts a tool call in words.
 *
 * @param name - The tool's name.
 * @param input - Its arguments, parsed as far as they are there.
 * @param words - Where the verbs come from.
 */
export function describeTool(name: string, input: unknown, words: ToolWords): ToolDescription {
  const key = name.toLowerCase()
  return {
    verb: ownEntry(words.verbs, key) ?? inWords(name),
    argument: keyArgument(input),
    icon: ownEntry(icons, key) ?? 'tool',
  }
}

/** `get_weather`, `getWeather` and `mcp__city__get_weather` are all "Get weather". */
function inWords(name: string): string {
  const plain = name
    .replace(/^mcp__.+?__/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return plain === '' ? name : plain.charAt(0).toUpperCase() + plain.slice(1)
}

function keyArgument(input: unknown): string | null {
  if (!isJsonObject(input)) return null
  const keys = [...telling.filter((key) => Object.hasOwn(input, key)), ...Object.keys(input)]
  const value = keys.map((key) => input[key]).find(isTelling)
  if (value === undefined) return null
  const line = String(value).trim().replace(/\s+/g, ' ')
  return line.length > ARGUMENT_LENGTH ? `${line.slice(0, ARGUMENT_LENGTH)}…` : line
}

function isTelling(value: unknown): value is string | number {
  // A number beyond these was rounded when it was read: the title would name another one than what runs.
  return (
    (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) ||
    (typeof value === 'string' && value.trim() !== '')
  )
}
