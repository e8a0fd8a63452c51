import type { ExtraProps } from 'react-markdown'

/** An element of the HTML tree, as react-markdown hands it on. */
export type HtmlElement = NonNullable<ExtraProps['node']>

/** Any child in the HTML tree. */
export type HtmlNode = HtmlElement['children'][number]

/** The root of the HTML tree. */
export interface HtmlRoot {
  children: HtmlNode[]
}

/** What this room reads of a node of the markdown tree (mdast). */
export interface SyntaxNode {
  type: string
  children?: SyntaxNode[]
  value?: string
  url?: string
  title?: string | null
  /** Of references and definitions: the normalised source of the label. */
  identifier?: string
  /** Of lists and items: whether blank lines separate what they hold. */
  spread?: boolean | null
  /** Of items: the state of a task. */
  checked?: boolean | null
  /** What the HTML element made from the node gets beside its own. */
  data?: { hProperties?: Record<string, string[]> }
  position?: { start: { offset?: number }; end: { offset?: number } }
}

/** Where a node stands in its source; synthetic nodes stand nowhere. */
export function startOf(node: SyntaxNode | HtmlNode): number | undefined {
  return node.position?.start.offset
}

/** The end of a node in its source. */
export function endOf(node: SyntaxNode): number | undefined {
  return node.position?.end.offset
}

/** The text of an HTML node and all below it. */
export function textOf(node: HtmlNode): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map((child) => textOf(child)).join('') : ''
}
