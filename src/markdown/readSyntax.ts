import { endOf, startOf } from './syntaxTree.js'
import type { SyntaxNode } from './syntaxTree.js'

/** A top-level block of a piece of markdown and where it stands. */
export interface Block {
  readonly type: string
  readonly start: number
  readonly end: number
  /** Of a list: where its items begin. */
  readonly items?: readonly number[]
  /** Of a list: whether a blank line makes all its items hold paragraphs. */
  readonly isLoose?: boolean
  /** Of a list: whether an item has a box to tick. */
  readonly hasTasks?: boolean
}

/** The target of a link reference definition. */
export interface LinkTarget {
  readonly url: string
  readonly title: string | null
}

/** What one parse told beside the element. Offsets count from the start of the piece. */
export interface Syntax {
  readonly blocks: Block[]
  /** Link definitions in the piece by label; the first of a label counts. */
  readonly links: Map<string, LinkTarget>
  /** Footnote definitions of the piece by label, as source. */
  readonly notes: Map<string, string>
  /** Labels of the footnotes the piece refers to, in order. */
  readonly calls: string[]
  /** A footnote is defined inside a quote or list, where its source cannot be cut out. */
  hasNestedNotes: boolean
}

/** What {@link readSyntax} must know of the parse. */
export interface SyntaxOptions {
  /** All that was parsed, the context before the piece included. */
  readonly source: string
  /** Where the piece begins in `source`. */
  readonly offset: number
  /** Link targets for the definitions in the context. */
  readonly links: ReadonlyMap<string, LinkTarget>
  /** Whether more text may follow directly. */
  readonly isOpen: boolean
  /** Whether the first list of the piece is part of a loose one. */
  readonly isLoose: boolean
}

/** Nothing told yet. */
export function emptySyntax(): Syntax {
  return { blocks: [], links: new Map(), notes: new Map(), calls: [], hasNestedNotes: false }
}

// Deeper trees would overflow the stack of the recursive passes behind this one.
const DEEPEST_LEVEL = 100

const flowParents: ReadonlySet<string> = new Set([
  'root',
  'blockquote',
  'listItem',
  'footnoteDefinition',
])

/**
 * Reads what the kit needs to know from a markdown tree, and makes it safe for the passes behind: raw HTML becomes text,
 * depth is limited, a bare URL that may still grow is no link.
 */
export function readSyntax(tree: SyntaxNode, options: SyntaxOptions): Syntax {
  const syntax = emptySyntax()
  for (const node of tree.children ?? []) {
    if ((startOf(node) ?? 0) < options.offset) continue
    const block = readBlock(node, options.offset)
    if (options.isLoose && syntax.blocks.length === 0 && node.type === 'list') node.spread = true
    syntax.blocks.push(block)
  }
  visitChildren(tree, 0, syntax, options)
  if (options.isOpen) openUrlsToText(tree)
  return syntax
}

function readBlock(node: SyntaxNode, offset: number): Block {
  const start = (startOf(node) ?? 0) - offset
  const block = { type: node.type, start, end: (endOf(node) ?? 0) - offset }
  if (node.type !== 'list') return block
  const items = node.children ?? []
  return {
    ...block,
    items: items.map((item) => (startOf(item) ?? 0) - offset),
    isLoose: node.spread === true || items.some((item) => item.spread === true),
    hasTasks: items.some((item) => typeof item.checked === 'boolean'),
  }
}

function visitChildren(
  parent: SyntaxNode,
  depth: number,
  syntax: Syntax,
  options: SyntaxOptions,
): void {
  parent.children?.forEach((node, index, siblings) => {
    if (node.type === 'html') {
      siblings[index] = htmlToText(node, parent)
    } else if (depth > DEEPEST_LEVEL && node.children !== undefined) {
      siblings[index] = { type: 'text', value: options.source.slice(startOf(node), endOf(node)) }
    } else {
      if (node.type === 'table') dropSurplusCells(node)
      note(node, depth, syntax, options)
      const isNote = node.type === 'footnoteDefinition'
      const before = syntax.calls.length
      visitChildren(node, depth + 1, syntax, options)
      // Calls within a footnote are counted where the footnotes are made.
      if (isNote) syntax.calls.length = before
    }
  })
}

/** Cells without a column are never shown, so that a footnote called there is not called. */
function dropSurplusCells({ children: rows = [] }: SyntaxNode): void {
  for (const row of rows) row.children?.splice(rows[0]?.children?.length ?? 0)
}

function note(node: SyntaxNode, depth: number, syntax: Syntax, options: SyntaxOptions): void {
  const id = node.identifier
  if (id === undefined) return
  const isContext = (startOf(node) ?? 0) < options.offset
  if (node.type === 'definition') {
    const target = isContext ? options.links.get(id) : undefined
    if (target !== undefined) {
      node.url = target.url
      node.title = target.title
    } else if (!isContext && !syntax.links.has(id)) {
      syntax.links.set(id, { url: node.url ?? '', title: node.title ?? null })
    }
  } else if (node.type === 'footnoteReference') {
    if (!isContext) syntax.calls.push(id)
  } else if (node.type === 'footnoteDefinition' && !isContext) {
    if (depth > 0) syntax.hasNestedNotes = true
    if (!syntax.notes.has(id)) {
      syntax.notes.set(id, options.source.slice(startOf(node), endOf(node)))
    }
  }
}

/** Shows raw HTML as it was written. A line break, the only way to have one in a table, stays one. */
function htmlToText(node: SyntaxNode, parent: SyntaxNode): SyntaxNode {
  const value = node.value ?? ''
  if (flowParents.has(parent.type)) {
    const data = { hProperties: { className: ['as-md-html'] } }
    return { ...node, type: 'paragraph', data, children: [{ type: 'text', value }] }
  }
  return /^<br\s*\/?>$/i.test(value) ? { ...node, type: 'break' } : { ...node, type: 'text' }
}

/**
 * Takes the link from a bare URL at the very end: its next character may make it another address. The walk goes back from
 * the end through nodes without white space.
 */
function openUrlsToText(parent: SyntaxNode): boolean {
  const { children = [] } = parent
  for (let index = children.length - 1; index >= 0; index--) {
    const node = children[index]
    if (node === undefined) continue
    if (node.type === 'link' && isBareUrl(node)) {
      children.splice(index, 1, ...(node.children ?? []))
    } else if (node.children !== undefined) {
      // Blocks and marked-up text: only the last of them touches the end.
      return openUrlsToText(node)
    } else if (node.type !== 'text' || /\s/.test(node.value ?? '')) {
      return false
    }
  }
  return true
}

function isBareUrl(link: SyntaxNode): boolean {
  const [child, second] = link.children ?? []
  if (child?.type !== 'text' || second !== undefined) return false
  const text = child.value ?? ''
  return [text, `http://${text}`, `mailto:${text}`].includes(link.url ?? '')
}
