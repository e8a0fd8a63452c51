import { cloneElement, isValidElement } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { ParsedPiece, ParseOptions } from './parsePiece.js'
import type { Syntax } from './readSyntax.js'

/** A top-level block that grows part by part, so that a long one is not parsed again for each of its lines. */
export interface GrowingBlock {
  /**
   * Reads on; looks only at what is new.
   *
   * @param source - The whole source so far, from the first character of the block.
   * @param isOpen - Whether more text may follow.
   * @returns What to show, or `undefined` when the block must be parsed as a whole after all.
   */
  read(source: string, isOpen: boolean): GrowingBlockState | undefined
}

/** A growing block at one moment. */
export interface GrowingBlockState {
  /** What `react-markdown` would make of the block as a piece. */
  readonly element: ReactElement
  /** What the parts told; without blocks. */
  readonly syntax: Syntax
  /** How long its source is once the block has ended; `undefined` while it may go on. */
  readonly length: number | undefined
}

/** Parses a part of a growing block. */
export interface PartParser {
  /**
   * @param text - The part.
   * @param calls - The footnotes called in earlier parts of the block.
   */
  (text: string, options: Omit<ParseOptions, 'context'>, calls: readonly string[]): ParsedPiece
}

/** Props of elements that hold others. */
export interface Holder {
  readonly className?: string
  readonly children?: ReactNode
}

/** The shell of a block with something else in its first element, which stays the same element to React. */
export function fill(shell: ReactElement, props: Holder, ...children: ReactNode[]): ReactElement {
  const inner = firstChild(shell)
  return inner === undefined
    ? shell
    : cloneElement(shell, {}, cloneElement(inner, props, ...children))
}

/** The first element directly inside another, with the key it was given. */
export function firstChild(holder: ReactElement | undefined): ReactElement<Holder> | undefined {
  if (!isValidElement<Holder>(holder)) return undefined
  const { children } = holder.props
  const list: unknown[] = Array.isArray(children) ? children : [children]
  return list.find((child) => isValidElement<Holder>(child))
}

/** Adds what a later part told. */
export function addSyntax(sum: Syntax, part: Syntax): Syntax {
  return {
    blocks: [],
    links: new Map([...part.links, ...sum.links]),
    notes: new Map([...part.notes, ...sum.notes]),
    calls: part.calls.length === 0 ? sum.calls : [...sum.calls, ...part.calls],
    hasNestedNotes: sum.hasNestedNotes || part.hasNestedNotes,
  }
}
