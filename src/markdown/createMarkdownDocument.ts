import { createElement, Fragment } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { createFence, fenceOpening } from './createFence.js'
import { createList } from './createList.js'
import { createParagraph } from './createParagraph.js'
import { createPieceTree } from './createPieceTree.js'
import {
  addReferences,
  citations,
  contextFor,
  isSameContext,
  noReferences,
} from './createReferences.js'
import type { References } from './createReferences.js'
import { createTable } from './createTable.js'
import { findCut } from './findCut.js'
import type { GrowingBlock } from './GrowingBlock.js'
import { parsePiece } from './parsePiece.js'
import type { ParsedPiece, ParseOptions, PieceContext, PieceSettings } from './parsePiece.js'
import type { Block } from './readSyntax.js'
import { repairTail } from './repairTail.js'

/** One message of markdown that may grow. */
export interface MarkdownDocument {
  /**
   * Renders the message.
   *
   * @param text - All of it so far. Text that continues the one before costs what is new; any other text starts afresh.
   * @param isStreaming - Whether more may follow.
   * @param growth - What `text` was made of: put together in memory, a long text takes longer to look at than what is new in it.
   */
  render(
    text: string,
    isStreaming: boolean,
    growth?: { readonly before: string; readonly added: string },
  ): ReactElement
}

/** A paragraph longer than this is shown in parts while it grows. */
const LONG_PARAGRAPH = 4096
/** Parsing that took longer lets as many renders pass without parsing as this fits into it. */
const PARSE_BUDGET_MS = 12
/** An open rest shorter than this is parsed at each render. */
const SHORT_REST = 1024
/** Any other open rest longer than this is parsed only each time it has grown by an eighth. */
const LONG_REST = 8192

/**
 * Makes a document. While it streams, what can no longer change is cut off in pieces that are parsed once and whose elements are
 * kept; only the open rest is repaired and parsed at each call. At the end the open rest is parsed as it stands, so the result is that
 * of parsing all at once. Calling `render` is safe during React's render: its memory is a cache, keyed by the text.
 */
export function createMarkdownDocument(settings: PieceSettings): MarkdownDocument {
  let render = growText(settings)
  let before = ''
  return {
    render(source, isStreaming, growth) {
      let text = source
      let added = growth?.added ?? ''
      const isGrown = growth?.before === before && before.length + added.length === text.length
      // The first text may begin with a mark, and looking at all of the last one frees the parts it was made of.
      if (before === '' || !isStreaming || !isGrown) {
        text = source.replace(/^\uFEFF/, '')
        // Compared as a whole: engines search for a prefix character by character.
        if (text.slice(0, before.length) !== before) {
          render = growText(settings)
          before = ''
        }
        added = text.slice(before.length)
      }
      before = text
      return render(text, added, isStreaming)
    },
  }
}

/** Renders a text that only ever grows; is told all of it, and what is new. */
function growText(
  settings: PieceSettings,
): (text: string, added: string, isStreaming: boolean) => ReactElement {
  let text = ''
  /** What of it was not cut off. */
  let rest = ''
  const tree = createPieceTree()
  const pieces: ParsedPiece[] = []
  /** The index of the first piece that shows anything. */
  let firstShown = Infinity
  /** The footnotes called in the settled pieces, in order. */
  let calls: string[] = []
  let parsedLength = 0
  let rendersToSkip = 0
  let open: ParsedPiece | undefined
  /** The open rest when it is a block that can grow; `'none'` when it was tried. */
  let block: GrowingBlock | 'none' | undefined
  /** Definitions in the settled pieces, and those the pieces were last parsed with. */
  let settled: References = noReferences
  let known: References = noReferences
  let notes: { source: string; context: PieceContext; element: ReactElement } | undefined
  /** Whether it cannot be told what belongs to what, so that nothing is cut. */
  let isWhole = false
  let last: { isStreaming: boolean; result: ReactElement } | undefined

  const parsePart = (
    source: string,
    options: Omit<ParseOptions, 'context'>,
    earlierCalls: readonly string[] = [],
  ): ParsedPiece => {
    const context = contextFor(source, settled, [...calls, ...earlierCalls])
    // White space has ended the last word.
    const isOpen = options.isOpen && !/\s$/.test(source)
    return parsePiece(source, settings, { ...options, context, isOpen })
  }

  const parse = (source: string, isOpen: boolean): ParsedPiece =>
    parsePart(source, { isOpen, keep: 'text' })

  /** What is hard to parse is shown a little later, so that it cannot stop the page. */
  const advanceInBudget = (): void => {
    if (rendersToSkip > 0) {
      rendersToSkip--
      return
    }
    const start = performance.now()
    advance()
    if (rest.length < SHORT_REST) return
    rendersToSkip = Math.floor((performance.now() - start) / PARSE_BUDGET_MS)
  }

  /** Cuts off all that is settled and leaves the open rest parsed. */
  const advance = (): void => {
    while (!isWhole) {
      if (block === undefined) {
        rest = rest.replace(/^(?:[ \t]*\r?\n)+/, '')
        startFence()
      }
      const read = readBlock(true)
      if (read === 'open') return
      if (read === 'settled') continue
      // Keeps the work linear in a long block that can only be parsed as a whole.
      const isTooSoon = rest.length > LONG_REST && rest.length < parsedLength * 1.125
      if (open !== undefined && isTooSoon) return
      const repair = repairTail(rest)
      parsedLength = rest.length
      open = parse(repair.text, true)
      const cut = findCut(rest, open.syntax.blocks, repair.from)
      if (cut > 0) {
        const isAll = cut === rest.length && repair.from === rest.length
        settle(isAll ? open : parse(rest.slice(0, cut), false), cut)
      } else if (block === undefined) {
        block = startBlock(open.syntax.blocks[0], repair.from)
        if (block === undefined) return
      } else {
        return
      }
    }
  }

  const startFence = (): void => {
    const line = fenceOpening(rest)
    if (line !== undefined) block = createFence(line, parse(line, false).element)
  }

  /** Makes a growing block of the open rest, when it is one whose head is complete. */
  const startBlock = (first: Block | undefined, repairedFrom: number): GrowingBlock | undefined => {
    if (first?.start !== 0) return undefined
    if (first.type === 'list') return createList(rest, parsePart)
    if (first.type === 'paragraph' && rest.length >= LONG_PARAGRAPH) {
      return createParagraph(parsePart)
    }
    const headEnd = rest.indexOf('\n', rest.indexOf('\n') + 1)
    return first.type === 'table' && headEnd !== -1 && headEnd < repairedFrom
      ? createTable(rest, parsePart, settings.components)
      : undefined
  }

  /** Reads on in the growing block; tells what came of it. */
  const readBlock = (isOpen: boolean): 'open' | 'settled' | 'none' => {
    if (block === undefined || block === 'none') return 'none'
    const state = block.read(rest, isOpen)
    if (state === undefined) {
      block = 'none'
      return 'none'
    }
    // While it grows its parts know the context they were parsed in; only afterwards does the whole need one.
    // Sliced from a copy, which lets go of the rest.
    const source =
      isOpen && state.length === undefined ? '' : `\n${rest.slice(0, state.length)}`.slice(1)
    const context = contextFor(source, settled, calls)
    const piece = { ...state, text: source, context, isOpen, isEmpty: false }
    open = piece
    if (state.length === undefined) return 'open'
    settle(piece, state.length)
    return 'settled'
  }

  const settle = (piece: ParsedPiece, length: number): void => {
    pieces.push(piece)
    calls.push(...piece.syntax.calls)
    if (!piece.isEmpty) firstShown = Math.min(firstShown, pieces.length - 1)
    tree.set(pieces.length - 1, separated(piece, pieces.length - 1))
    open = undefined
    block = undefined
    settled = addReferences(settled, piece.syntax)
    refresh(settled)
    if (piece.syntax.hasNestedNotes) isWhole = true
    rest = rest.slice(length)
  }

  /** Parses again the pieces whose references have come to mean something else; returns all footnote calls. */
  const refresh = (references: References): string[] => {
    if (references !== known) {
      known = references
      calls = []
      pieces.forEach((piece, index) => {
        const fresh = inContext(piece)
        calls.push(...fresh.syntax.calls)
        if (fresh === piece) return
        pieces[index] = fresh
        tree.set(index, separated(fresh, index))
      })
      if (open !== undefined) open = inContext(open)
    }
    return [...calls, ...(open?.syntax.calls ?? [])]
  }

  /** The piece as it parses behind the footnote calls so far. */
  const inContext = (piece: ParsedPiece): ParsedPiece => {
    const context = contextFor(piece.text, known, calls)
    if (isSameContext(context, piece.context)) return piece
    return parsePiece(piece.text, settings, { context, isOpen: piece.isOpen, keep: 'text' })
  }

  /** A piece with the line break that stands between blocks of one document. */
  const separated = (piece: ParsedPiece, index: number): ReactNode =>
    piece.isEmpty || index <= firstShown
      ? piece.element
      : createElement(Fragment, null, '\n', piece.element)

  const frame = (end?: ReactNode, footnotes?: ReactNode): ReactElement =>
    createElement(Fragment, null, tree.render(end), footnotes)

  /** The whole message as one piece: while nothing was cut off, or where nothing may be. */
  const renderWhole = (isStreaming: boolean): ReactElement => {
    if (isStreaming && !isWhole) return frame(open?.element)
    const context = contextFor('', noReferences, [])
    const source = isStreaming ? repairTail(text).text : text
    const { element } = parsePiece(source, settings, { context, isOpen: isStreaming, keep: 'both' })
    return isWhole ? element : frame(element)
  }

  const renderPieces = (isStreaming: boolean): ReactElement => {
    let references = settled
    if (!isStreaming) {
      // The open rest counts as it stands.
      if (readBlock(false) !== 'open') {
        open = parse(rest, false)
      }
      if (open?.syntax.hasNestedNotes) {
        isWhole = true
        return renderWhole(isStreaming)
      }
      if (open !== undefined) references = addReferences(settled, open.syntax)
    }
    const allCalls = refresh(references)
    return frame(
      open && separated(open, pieces.length),
      allCalls.length > 0 && renderNotes(allCalls),
    )
  }

  const renderNotes = (allCalls: readonly string[]): ReactElement => {
    const source = `${citations(allCalls)}\n\n${[...known.notes.values()].join('\n\n')}`
    const context = contextFor(source, { links: known.links, notes: new Map() }, [])
    if (notes?.source !== source || !isSameContext(notes.context, context)) {
      const { element } = parsePiece(source, settings, {
        context,
        isOpen: false,
        keep: 'footnotes',
      })
      notes = {
        source,
        context,
        element: createElement(Fragment, { key: 'notes' }, '\n', element),
      }
    }
    return notes.element
  }

  return (grown, added, isStreaming) => {
    if (last?.isStreaming === isStreaming && added === '') return last.result
    // A carriage return alone ends a line too, but nobody writes so any more.
    if (/\r[^\n]/.test(rest.slice(-1) + added)) isWhole = true
    text = grown
    rest += added
    if (isStreaming) advanceInBudget()
    const result =
      isWhole || rest.length === text.length ? renderWhole(isStreaming) : renderPieces(isStreaming)
    last = { isStreaming, result }
    return result
  }
}
