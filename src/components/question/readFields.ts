import { isJsonObject } from '../../protocol/index.js'
import type { JsonObject, JsonValue } from '../../protocol/index.js'

/** A value that a form asks for. */
export interface FormField {
  /** Its name in the answer. */
  readonly name: string
  /** What it is called. */
  readonly label: string
  /** How it is typed in. */
  readonly kind: 'text' | 'number' | 'checkbox' | 'select'
  /** The values to choose from; empty unless it is a `select`. */
  readonly choices: readonly string[]
  /** Whether there must be one. */
  readonly isRequired: boolean
}

const kinds: Readonly<Record<string, FormField['kind']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'checkbox',
}

/**
 * Reads which values a form asks for.
 *
 * @param schema - JSON schema of an object whose properties are plain.
 * @returns The fields in order; empty when one of them is not plain, so that a form would leave something out.
 */
export function readFields(schema: JsonObject | undefined): readonly FormField[] {
  const { properties, required } = schema ?? {}
  if (!isJsonObject(properties)) return []
  const fields = Object.entries(properties).map(([name, property]) =>
    readField(name, property, Array.isArray(required) && required.includes(name)),
  )
  return fields.every((field) => field !== null) ? fields : []
}

function readField(name: string, property: JsonValue, isRequired: boolean): FormField | null {
  if (!isJsonObject(property)) return null
  const { type, title, enum: values } = property
  const choices = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
  const plain = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined
  const kind = choices.length > 0 ? 'select' : plain
  if (kind === undefined) return null
  return { name, label: typeof title === 'string' ? title : name, kind, choices, isRequired }
}

/**
 * Reads what was typed into a form.
 *
 * @param fields - The form's fields; an input's name is its field's place.
 * @param typed - What the browser says was typed.
 * @returns Values by name, without those left empty.
 */
export function readValues(fields: readonly FormField[], typed: FormData): JsonObject {
  const values = fields.flatMap(({ name, kind }, index): [string, JsonValue][] => {
    const value = typed.get(String(index))
    if (kind === 'checkbox') return [[name, value !== null]]
    if (typeof value !== 'string' || value === '') return []
    return [[name, kind === 'number' ? Number(value) : value]]
  })
  return Object.fromEntries(values)
}
