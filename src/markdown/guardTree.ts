import { isMisleadingLink } from '../policy/index.js'
import type { UrlPolicy } from '../policy/index.js'
import { startOf, textOf } from './syntaxTree.js'
import type { HtmlElement, HtmlNode, HtmlRoot } from './syntaxTree.js'

/** What {@link guardTree} needs. */
export interface GuardOptions {
  readonly policy: UrlPolicy
  /** Prefix of every id in the message. */
  readonly idPrefix: string
  /** Where the piece begins; what stands before it is context. */
  readonly offset: number
  /**
   * What to keep: what was written, the footnotes made from it, both, or of what was written the rows of the table, the items of the list or
   * the words of the paragraph it belongs to.
   */
  readonly keep: 'text' | 'footnotes' | 'both' | 'rows' | 'items' | 'words'
}

/**
 * The last pass over the HTML tree before elements are made: applies the URL policy (so that replaced components get
 * only what may be used), gives each block its own direction, and keeps ids and styles to what is unique in the page and allowed
 * under a strict content security policy.
 */
export function guardTree(root: HtmlRoot, options: GuardOptions): void {
  root.children = keptChildren(root, options)
  visit(root.children, 'root', options)
}

function keptChildren(root: HtmlRoot, options: GuardOptions): HtmlNode[] {
  const { keep, offset } = options
  if (keep === 'rows') {
    return childrenOf(childrenOf(root.children, 'table'), 'tbody').filter(
      (node) => node.type === 'element' && (startOf(node) ?? 0) >= offset,
    )
  }
  const kept = withoutOuterBreaks(root.children.filter((node) => isKept(node, options)))
  if (keep === 'words') return childrenOf(kept, 'p')
  if (keep !== 'items') return kept
  const items = childrenOf(kept, 'ol', 'ul').filter((node) => node.type === 'element')
  return items.flatMap((item) => [item, { type: 'text', value: '\n' } as const])
}

/** What the first element of some names holds. */
function childrenOf(nodes: readonly HtmlNode[], ...tagNames: string[]): HtmlNode[] {
  const holder = nodes.find((node) => node.type === 'element' && tagNames.includes(node.tagName))
  return holder?.type === 'element' ? holder.children : []
}

function isKept(node: HtmlNode, { keep, offset }: GuardOptions): boolean {
  if (node.type === 'element' && node.properties['dataFootnotes'] !== undefined) {
    return keep !== 'text'
  }
  const start = startOf(node)
  return keep !== 'footnotes' && (start === undefined || start >= offset)
}

/** Drops the line breaks that stood between removed nodes: none at the ends, never two in a row. */
function withoutOuterBreaks(nodes: readonly HtmlNode[]): HtmlNode[] {
  const isBreak = (node: HtmlNode | undefined): boolean =>
    node === undefined || (node.type === 'text' && node.value === '\n')
  const kept = nodes.filter((node, index) => !isBreak(node) || !isBreak(nodes[index - 1]))
  if (isBreak(kept.at(-1))) kept.pop()
  return kept
}

function visit(nodes: readonly HtmlNode[], parent: string, options: GuardOptions): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue
    guardElement(node, parent, options)
    visit(node.children, node.tagName, options)
  }
}

function guardElement(node: HtmlElement, parent: string, options: GuardOptions): void {
  const { properties } = node
  switch (node.tagName) {
    case 'a':
      guardLink(node, options)
      break
    case 'img':
      guardImage(node, options.policy)
      break
    case 'th':
    case 'td':
      // As a style attribute it would be refused under a strict policy.
      if (properties['align'] !== undefined) properties['dataAlign'] = properties['align']
      delete properties['align']
      break
    case 'code':
      if (parent !== 'pre') properties['dir'] = 'ltr'
      break
    case 'h2':
      if (properties['id'] === 'footnote-label') properties['id'] = labelId(options)
      properties['dir'] = 'auto'
      break
    default:
      if (ownsDirection(node.tagName, parent)) properties['dir'] = 'auto'
  }
}

/**
 * An element that has a `dir` is skipped when its parent's `auto` looks for the first strong character, so a list item and a
 * quote take their direction from paragraphs without one.
 */
function ownsDirection(tagName: string, parent: string): boolean {
  if (tagName === 'p') return parent !== 'li' && parent !== 'blockquote'
  return /^(?:h[1-6]|li|blockquote|table)$/.test(tagName)
}

function labelId({ idPrefix }: GuardOptions): string {
  return `${idPrefix}footnote-label`
}

function guardLink(node: HtmlElement, options: GuardOptions): void {
  const { properties } = node
  if (properties['ariaDescribedBy'] !== undefined)
    properties['ariaDescribedBy'] = [labelId(options)]
  const href = addressIn(properties['href'])
  const verdict = options.policy.link(href)
  if (verdict.verdict === 'block') {
    delete properties['href']
    return
  }
  if (!verdict.isExternal) return
  properties['target'] = '_blank'
  properties['rel'] = ['noopener', 'noreferrer', 'nofollow']
  if (verdict.destination !== '') properties['dataDestination'] = verdict.destination
  if (isMisleadingLink(textOf(node), href)) properties['dataMisleading'] = ''
}

function guardImage(node: HtmlElement, policy: UrlPolicy): void {
  const { properties } = node
  const src = addressIn(properties['src'])
  const verdict = policy.media(src, 'image')
  if (verdict.verdict === 'allow') return
  delete properties['src']
  if (verdict.verdict === 'ask') {
    properties['dataSrc'] = src
    properties['dataHost'] = verdict.host
  }
}

function addressIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
