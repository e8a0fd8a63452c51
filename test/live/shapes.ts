import { createRequire } from 'node:module'
import ts from 'typescript'
import { isRecord, type JsonRecord } from './liveService.js'

/** What one field may hold. */
export interface FieldShape {
  /** JSON's own kinds, such as `string` and `null`. */
  readonly kinds: readonly string[]
  /** The words that are named, when it holds one of a set. */
  readonly words: readonly string[]
}

/** The fields of an event, a block or a message. */
export type Shape = ReadonlyMap<string, FieldShape>

/** Shapes by name: `REPLY_START`, `text`, `Msg`. */
export type Shapes = ReadonlyMap<string, Shape>

/** What stands inside events, blocks and messages, by the service's name and ours. */
const INNER: Readonly<Record<string, string>> = {
  Base64Source: 'Base64Source',
  ConfirmResult: 'ConfirmResult',
  ErrorInfo: 'ReplyError',
  PermissionRule: 'PermissionRule',
  URLSource: 'UrlSource',
  Usage: 'Usage',
}

/** The shapes that our declarations give to users: read from the built package with the TypeScript compiler. */
export function ourShapes(): Shapes {
  const entryFile = createRequire(import.meta.url).resolve('agentscope-react/core')
  const file = entryFile.replace(/\.js$/, '.d.ts')
  const program = ts.createProgram([file], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const entry = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (entry === undefined) throw new Error(`${file} is not a module.`)
  const exported = new Map(checker.getExportsOfModule(entry).map((one) => [one.name, one]))

  const typeOf = (name: string): ts.Type => {
    const symbol = exported.get(name)
    if (symbol === undefined) throw new Error(`agentscope-react/core does not export ${name}.`)
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    return checker.getDeclaredTypeOfSymbol(isAlias ? checker.getAliasedSymbol(symbol) : symbol)
  }
  const shapeOf = (type: ts.Type): Shape =>
    new Map(
      type
        .getProperties()
        .map((field) => [field.name, fieldShape(checker, checker.getTypeOfSymbol(field))]),
    )
  const members = (name: string): [string, Shape][] => {
    const type = typeOf(name)
    return (type.isUnion() ? type.types : [type]).map((member) => {
      const shape = shapeOf(member)
      return [shape.get('type')?.words[0] ?? '', shape]
    })
  }
  return new Map([
    ...members('AgentEvent'),
    ...members('ContentBlock'),
    ['Msg', shapeOf(typeOf('Msg'))],
    ...Object.entries(INNER).map(([name, ours]): [string, Shape] => [name, shapeOf(typeOf(ours))]),
  ])
}

function fieldShape(checker: ts.TypeChecker, type: ts.Type): FieldShape {
  const parts = type.isUnion() ? type.types : [type]
  const kinds = parts.flatMap((part) => kindsOf(checker, part))
  const words = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []))
  return { kinds: unique(kinds), words: unique(words) }
}

function kindsOf(checker: ts.TypeChecker, type: ts.Type): readonly string[] {
  if ((type.flags & ts.TypeFlags.Undefined) !== 0) return []
  if ((type.flags & ts.TypeFlags.Null) !== 0) return ['null']
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return ['string']
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return ['number']
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return ['boolean']
  // A set of words that stays open is written as (string & something).
  if (type.isIntersection()) return kindsOf(checker, type.types[0] ?? type)
  return [checker.isArrayType(type) ? 'array' : 'object']
}

/** The shapes that the service's own classes have, from their JSON schemas. */
export function theirShapes(schemas: JsonRecord): Shapes {
  const shapes = new Map<string, Shape>()
  for (const [name, schema] of Object.entries(schemas)) {
    const root = record(schema)
    const definitions = record(root['$defs'])
    const add = (key: string, fields: unknown): void => {
      const entries = Object.entries(record(fields))
      shapes.set(
        key,
        new Map(entries.map(([field, spec]) => [field, schemaShape(spec, definitions)])),
      )
    }
    add(name, root['properties'])
    for (const inner of Object.keys(INNER)) {
      if (inner in definitions) add(inner, record(definitions[inner])['properties'])
    }
  }
  return shapes
}

function schemaShape(schema: unknown, definitions: JsonRecord): FieldShape {
  const spec = record(schema)
  const reference = spec['$ref']
  if (typeof reference === 'string') {
    return schemaShape(definitions[reference.split('/').at(-1) ?? ''], definitions)
  }
  const choices = spec['anyOf'] ?? spec['oneOf']
  if (Array.isArray(choices)) {
    const shapes = choices.map((choice) => schemaShape(choice, definitions))
    return {
      kinds: unique(shapes.flatMap((shape) => shape.kinds)),
      words: unique(shapes.flatMap((shape) => shape.words)),
    }
  }
  const values: readonly unknown[] = Array.isArray(spec['enum']) ? spec['enum'] : [spec['const']]
  const kind = spec['type'] === 'integer' ? 'number' : String(spec['type'])
  return { kinds: [kind], words: values.filter((value) => typeof value === 'string') }
}

/** How the two differ, a sentence each. */
export interface ShapeReport {
  /** What the service may send and we don't know: these are faults. */
  readonly unknownToUs: readonly string[]
  /** What we know and the service doesn't: older or newer servers, other dialects, our own. */
  readonly oursAlone: readonly string[]
}

/** Compares every event, block and message, field by field. */
export function compareShapes(theirs: Shapes, ours: Shapes): ShapeReport {
  const unknownToUs: string[] = []
  const namesByField = new Map<string, string[]>()
  for (const [name, fields] of theirs) {
    const mine = ours.get(name)
    if (mine === undefined) {
      unknownToUs.push(`${name} is not known`)
      continue
    }
    for (const [field, shape] of fields) {
      unknownToUs.push(...missing(`${name}.${field}`, shape, mine.get(field)))
    }
    for (const field of mine.keys()) {
      if (!fields.has(field)) namesByField.set(field, [...(namesByField.get(field) ?? []), name])
    }
  }
  const wholes = [...ours.keys()].filter((name) => !theirs.has(name))
  const events = [...theirs.keys()].filter((name) => name === name.toUpperCase()).length
  const fields = [...namesByField].map(
    ([field, names]) => `${field} of ${names.length === events ? 'every event' : names.join(', ')}`,
  )
  return { unknownToUs, oursAlone: [...wholes, ...fields] }
}

function missing(name: string, theirs: FieldShape, ours: FieldShape | undefined): string[] {
  if (ours === undefined) return [`${name} is not known`]
  const kinds = theirs.kinds.filter((kind) => !ours.kinds.includes(kind))
  const words = theirs.words.filter((word) => !ours.words.includes(word))
  return [
    ...kinds.map((kind) => `${name} may be ${kind}, ours is ${ours.kinds.join(' | ')}`),
    ...(ours.words.length === 0 ? [] : words.map((word) => `${name} may be '${word}'`)),
  ]
}

function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)]
}
