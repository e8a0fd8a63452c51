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
import type { GrowingBlock, PartParser } from './GrowingBlock.js'
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
   */
  render(text: string, isStreaming: boolean): ReactElement
}

/** A paragraph longer than this is shown in parts while it grows. */
const LONG_PARAGRAPH = 4096
/** Parsing that took longer lets as many renders pass without parsing as this fits into it. */
const PARSE_BUDGET_MS = 12
/** An open rest shorter than this is parsed at each render. */
const SHORT_REST = 1024
/** Any other open rest longer than this is parsed only each time it has grown by an eighth. */
const LONG_REST = 8192

interface Piece extends ParsedPiece {
  readonly text: string
  readonly context: PieceContext
  readonly isOpen: boolean
}

/**
 * Makes a document. While it streams, what can no longer change is cut off in pieces that are parsed once and whose elements are
 * kept; only the open rest is repaired and parsed at each call. At the end the open rest is parsed as it stands, so the result is that
 * of parsing all at once. Calling `render` is safe during React's render: its memory is a cache, keyed by the text.
 */
export function createMarkdownDocument(settings: PieceSettings): MarkdownDocument {
  let growing = new GrowingText(settings)
  return {
    render(source, isStreaming) {
      const text = source.startsWith('\uFEFF') ? source.slice(1) : source
      if (!text.startsWith(growing.text)) growing = new GrowingText(settings)
      return growing.render(text, isStreaming)
    },
  }
}

class GrowingText {
  text = ''
  private readonly settings: PieceSettings
  private readonly tree = createPieceTree()
  private readonly pieces: Piece[] = []
  /** The index of the first piece that shows anything. */
  private firstShown = Infinity
  /** The footnotes called in the settled pieces, in order. */
  private calls: string[] = []
  private openStart = 0
  private parsedLength = 0
  private rendersToSkip = 0
  private open: Piece | undefined
  /** The open rest when it is a block that can grow; `'none'` when it was tried. */
  private block: GrowingBlock | 'none' | undefined
  /** Definitions in the settled pieces, and those the pieces were last parsed with. */
  private settled: References = noReferences
  private known: References = noReferences
  private notes: { source: string; context: PieceContext; element: ReactElement } | undefined
  private isWhole = false
  private last: { isStreaming: boolean; result: ReactElement } | undefined

  constructor(settings: PieceSettings) {
    this.settings = settings
  }

  render(text: string, isStreaming: boolean): ReactElement {
    if (this.last?.isStreaming === isStreaming && this.text === text) return this.last.result
    this.noteLoneReturns(text)
    this.text = text
    if (isStreaming) this.advanceInBudget()
    const result =
      this.isWhole || this.openStart === 0
        ? this.renderWhole(isStreaming)
        : this.renderPieces(isStreaming)
    this.last = { isStreaming, result }
    return result
  }

  /** A carriage return alone ends a line too, but nobody writes so any more: such a text is never cut. */
  private noteLoneReturns(text: string): void {
    const from = Math.max(0, this.text.length - 1)
    if (/\r[^\n]/.test(text.slice(from))) this.isWhole = true
  }

  /** What is hard to parse is shown a little later, so that it cannot stop the page. */
  private advanceInBudget(): void {
    if (this.rendersToSkip > 0) {
      this.rendersToSkip--
      return
    }
    const start = performance.now()
    this.advance()
    if (this.text.length - this.openStart < SHORT_REST) return
    this.rendersToSkip = Math.floor((performance.now() - start) / PARSE_BUDGET_MS)
  }

  /** Cuts off all that is settled and leaves the open rest parsed. */
  private advance(): void {
    while (!this.isWhole) {
      if (this.block === undefined) this.skipBlankLines()
      const rest = this.text.slice(this.openStart)
      if (this.block === undefined) this.startFence(rest)
      const read = this.readBlock(rest, true)
      if (read === 'open') return
      if (read === 'settled') continue
      if (this.isTooSoon(rest.length)) return
      const repair = repairTail(rest)
      this.parsedLength = rest.length
      const open = this.parse(repair.text, true)
      this.open = open
      const cut = findCut(rest, open.syntax.blocks, repair.from)
      if (cut > 0) {
        const isAll = cut === rest.length && repair.from === rest.length
        this.settle(isAll ? open : this.parse(rest.slice(0, cut), false), cut)
      } else if (!this.startBlock(rest, open.syntax.blocks[0], repair.from)) {
        return
      }
    }
  }

  /** Keeps the work linear in a long block that can only be parsed as a whole. */
  private isTooSoon(length: number): boolean {
    return this.open !== undefined && length > LONG_REST && length < this.parsedLength * 1.125
  }

  private skipBlankLines(): void {
    const blank = /(?:[ \t]*\r?\n)*/y
    blank.lastIndex = this.openStart
    this.openStart += blank.exec(this.text)?.[0].length ?? 0
  }

  private startFence(rest: string): void {
    const line = fenceOpening(rest)
    if (line !== undefined) this.block = createFence(line, this.parse(line, false).element)
  }

  /** Makes a growing block of the open rest, when it is a list or a table whose head is complete. */
  private startBlock(rest: string, block: Block | undefined, repairedFrom: number): boolean {
    if (this.block !== undefined || block?.start !== 0) return false
    if (block.type === 'paragraph') {
      if (rest.length < LONG_PARAGRAPH) return false
      this.block = createParagraph(this.parsePart)
    } else if (block.type === 'list') {
      this.block = createList(rest, this.parsePart)
    } else if (block.type === 'table') {
      const headEnd = rest.indexOf('\n', rest.indexOf('\n') + 1)
      if (headEnd === -1 || headEnd >= repairedFrom) return false
      this.block = createTable(rest, this.parsePart, this.settings.components)
    }
    return this.block !== undefined
  }

  /** Reads on in the growing block; tells what came of it. */
  private readBlock(rest: string, isOpen: boolean): 'open' | 'settled' | 'none' {
    if (this.block === undefined || this.block === 'none') return 'none'
    const state = this.block.read(rest, isOpen)
    if (state === undefined) {
      this.block = 'none'
      return 'none'
    }
    // While it grows its parts know the context they were parsed in; only afterwards does the whole need one.
    const text = isOpen && state.length === undefined ? '' : rest.slice(0, state.length)
    const context = contextFor(text, this.settled, this.calls)
    const piece = { ...state, text, context, isOpen, isEmpty: false }
    this.open = piece
    if (state.length === undefined) return 'open'
    this.settle(piece, state.length)
    return 'settled'
  }

  private readonly parsePart: PartParser = (text, options, calls) => {
    const context = contextFor(text, this.settled, [...this.calls, ...calls])
    return this.parseIn(context, text, { ...options, isOpen: isOpenEnd(text, options.isOpen) })
  }

  private settle(piece: Piece, length: number): void {
    this.pieces.push(piece)
    this.calls.push(...piece.syntax.calls)
    if (!piece.isEmpty) this.firstShown = Math.min(this.firstShown, this.pieces.length - 1)
    this.place(this.pieces.length - 1)
    this.open = undefined
    this.block = undefined
    this.settled = addReferences(this.settled, piece.syntax)
    this.refresh(this.settled)
    if (piece.syntax.hasNestedNotes) this.isWhole = true
    this.openStart += length
  }

  private parse(text: string, isOpen: boolean): Piece {
    const context = contextFor(text, this.settled, this.calls)
    return this.parseIn(context, text, { isOpen: isOpenEnd(text, isOpen), keep: 'text' })
  }

  private parseIn(
    context: PieceContext,
    text: string,
    options: Omit<ParseOptions, 'context'>,
  ): Piece {
    const parsed = parsePiece(text, this.settings, { ...options, context })
    return { ...parsed, text, context, isOpen: options.isOpen }
  }

  /** The whole message as one piece: while nothing was cut off, or where it cannot be told what belongs to what. */
  private renderWhole(isStreaming: boolean): ReactElement {
    if (isStreaming && !this.isWhole) return this.frame(this.open?.element, null)
    const context = contextFor('', noReferences, [])
    const text = isStreaming ? repairTail(this.text).text : this.text
    const { element } = this.parseIn(context, text, { isOpen: isStreaming, keep: 'both' })
    return this.isWhole ? element : this.frame(element, null)
  }

  private frame(open: ReactNode, notes: ReactNode): ReactElement {
    return createElement(Fragment, null, this.tree.render(open), notes)
  }

  private renderPieces(isStreaming: boolean): ReactElement {
    if (!isStreaming) this.finishOpen()
    const { open } = this
    if (!isStreaming && open?.syntax.hasNestedNotes) {
      this.isWhole = true
      return this.renderWhole(isStreaming)
    }
    const known =
      isStreaming || open === undefined ? this.settled : addReferences(this.settled, open.syntax)
    const calls = this.refresh(known)
    return this.frame(
      this.open && this.separated(this.open, this.pieces.length),
      calls.length > 0 ? this.renderNotes(calls, known) : null,
    )
  }

  /** Parses the open rest as it stands. */
  private finishOpen(): void {
    if (this.readBlock(this.text.slice(this.openStart), false) === 'open') return
    this.open = this.parse(this.text.slice(this.openStart), false)
  }

  /** Parses again the pieces whose references have come to mean something else; returns all footnote calls. */
  private refresh(known: References): string[] {
    if (known !== this.known) {
      this.known = known
      this.calls = []
      this.pieces.forEach((piece, index) => {
        const fresh = this.inContext(piece, known)
        this.calls.push(...fresh.syntax.calls)
        if (fresh === piece) return
        this.pieces[index] = fresh
        this.place(index)
      })
      if (this.open !== undefined) this.open = this.inContext(this.open, known)
    }
    return [...this.calls, ...(this.open?.syntax.calls ?? [])]
  }

  /** The piece as it parses behind the footnote calls so far. */
  private inContext(piece: Piece, known: References): Piece {
    const context = contextFor(piece.text, known, this.calls)
    if (isSameContext(context, piece.context)) return piece
    return this.parseIn(context, piece.text, { isOpen: piece.isOpen, keep: 'text' })
  }

  private place(index: number): void {
    const piece = this.pieces[index]
    if (piece !== undefined) this.tree.set(index, this.separated(piece, index))
  }

  /** A piece with the line break that stands between blocks of one document. */
  private separated(piece: Piece, index: number): ReactNode {
    return piece.isEmpty || index <= this.firstShown
      ? piece.element
      : createElement(Fragment, null, '\n', piece.element)
  }

  private renderNotes(calls: readonly string[], known: References): ReactElement {
    const source = `${citations(calls)}\n\n${[...known.notes.values()].join('\n\n')}`
    const context = contextFor(source, { links: known.links, notes: new Map() }, [])
    if (this.notes?.source !== source || !isSameContext(this.notes.context, context)) {
      const { element } = this.parseIn(context, source, { isOpen: false, keep: 'footnotes' })
      this.notes = {
        source,
        context,
        element: createElement(Fragment, { key: 'notes' }, '\n', element),
      }
    }
    return this.notes.element
  }
}

/** Whether the last word may go on: not when white space has ended it. */
function isOpenEnd(text: string, isOpen: boolean): boolean {
  return isOpen && !/\s$/.test(text)
}
