import ReactMarkdown from 'react-markdown'
import type { Components, Options } from 'react-markdown'
import { createElement } from 'react'
import type { ReactElement } from 'react'
import type { UrlPolicy } from '../policy/index.js'
import { guardTree } from './guardTree.js'
import type { GuardOptions } from './guardTree.js'
import type { MarkdownWords } from '../i18n/index.js'
import { emptySyntax, readSyntax } from './readSyntax.js'
import type { LinkTarget, Syntax, SyntaxOptions } from './readSyntax.js'
import { syntaxExtensions, treeExtensions } from './syntaxExtensions.js'
import type { HtmlRoot, SyntaxNode } from './syntaxTree.js'

/** What holds for all pieces of a message. */
export interface PieceSettings {
  readonly policy: UrlPolicy
  readonly components: Components
  readonly words: MarkdownWords
  /** Prefix of every id in the message. */
  readonly idPrefix: string
}

/** What a piece must know of the rest of the message. */
export interface PieceContext {
  /** Markdown before the piece that defines what it refers to; parsed, not shown. */
  readonly before: string
  /** Targets of the link definitions in `before`. */
  readonly links: ReadonlyMap<string, LinkTarget>
}

/** A piece of markdown as an element, with what its syntax told. */
export interface ParsedPiece {
  /** Its source, a string of its own: a part of a message would keep all of it in memory. */
  readonly text: string
  readonly context: PieceContext
  /** Whether more text may follow directly. */
  readonly isOpen: boolean
  readonly element: ReactElement
  readonly isEmpty: boolean
  readonly syntax: Syntax
}

/** How a piece is parsed. */
export interface ParseOptions {
  readonly context: PieceContext
  readonly keep: GuardOptions['keep']
  /** Whether more text may follow directly. */
  readonly isOpen: boolean
  /** The head of the table whose rows the piece is. */
  readonly head?: string
  /** Whether the piece is part of a list that is loose. */
  readonly isLoose?: boolean
}

// A hundred quote and list markers on one line, and one more, which is not a rule. The parser takes quadratic time for them, and the
// tree would overflow the stack.
const tooDeep =
  /^((?:[ \t]{0,3}(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){100}[ \t]*)[>\d*+-](?![-*_ \t]*$)/gm

/**
 * Parses one piece of markdown with `react-markdown`, called as the plain function it is: the result is an element that can
 * be kept, so React skips it as long as it is the same.
 */
export function parsePiece(
  written: string,
  settings: PieceSettings,
  { context, keep, isOpen, head = '', isLoose = false }: ParseOptions,
): ParsedPiece {
  const offset = context.before.length + head.length
  const source = context.before + head + written.replace(tooDeep, '$1\u00A0')
  const { words, idPrefix, policy } = settings
  const text = source.slice(offset)
  const found = { text, context, isOpen, isEmpty: true, syntax: emptySyntax() }
  const syntaxOptions: SyntaxOptions = { source, offset, links: context.links, isOpen, isLoose }
  const options: Options = {
    children: source,
    components: settings.components,
    remarkPlugins: [
      extendParser,
      () => (tree: SyntaxNode) => {
        found.syntax = readSyntax(tree, syntaxOptions)
      },
    ],
    rehypePlugins: [
      () => (tree: HtmlRoot) => {
        guardTree(tree, { policy, idPrefix, offset, keep })
        found.isEmpty = tree.children.length === 0
      },
    ],
    remarkRehypeOptions: {
      clobberPrefix: idPrefix,
      footnoteLabel: words.footnotes,
      footnoteLabelProperties: { className: ['as-md-hidden'] },
      footnoteBackLabel: (index, repeat) => words.backToReference(index + 1, repeat),
    },
    // The policy has decided in guardTree.
    urlTransform: (url) => url,
  }
  try {
    return { element: ReactMarkdown(options), ...found }
  } catch (error) {
    // Inline markup nested thousands of levels deep overflows the stack: it is shown as it was written.
    if (!(error instanceof RangeError)) throw error
    const element = createElement('p', { className: 'as-md-html', dir: 'auto' }, written)
    return { ...found, element, isEmpty: false, syntax: emptySyntax() }
  }
}

/** The common plugins for GFM would do this too, but bring along what writes markdown. */
function extendParser(this: { data(): object }): void {
  Object.assign(this.data(), {
    micromarkExtensions: syntaxExtensions,
    fromMarkdownExtensions: treeExtensions,
  })
}
