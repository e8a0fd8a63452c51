import { isJsonObject } from '../protocol/index.js'

/** Who sent a hint. */
export interface HintSource {
  /** The sender's kind or name, such as `System` or `team_message`. */
  readonly label: string
  /** More about it, such as `Runtime State`; null when there is none. */
  readonly sublabel: string | null
}

/**
 * Reads the `source` of a hint: JSON with `label` and `sublabel`, plain text, or nothing.
 *
 * @param source - The field as it came.
 * @returns The sender, or null when none is named.
 */
export function parseHintSource(source: string | null): HintSource | null {
  if (source === null || source.trim() === '') return null
  const value = readJson(source)
  if (!isJsonObject(value)) return { label: source, sublabel: null }
  const { label, sublabel } = value
  if (typeof label !== 'string' || label === '') return null
  return { label, sublabel: typeof sublabel === 'string' && sublabel !== '' ? sublabel : null }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
