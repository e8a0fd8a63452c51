import { createElement, Fragment } from 'react'
import type { ReactElement, ReactNode } from 'react'

const FAN_OUT = 32

/** A growing row of rendered pieces. */
export interface PieceTree {
  /** Puts a piece at an index; those before it are set. */
  set(index: number, piece: ReactNode): void
  /** Renders all pieces, with the open one behind them. */
  render(open: ReactNode): ReactElement
}

/**
 * Makes a tree whose leaves are the pieces of a message. React compares the children of whatever it renders one by one; in nested
 * fragments of 32 it skips a full fragment, which stays the same element, in one step. All leaves have the same
 * depth from the beginning, so none is ever mounted anew.
 */
export function createPieceTree(): PieceTree {
  const pieces: ReactNode[] = []
  /** Branches that are complete, by level. */
  const full: (ReactElement | undefined)[][] = [[], [], []]
  const top = full.length - 1

  /** The fragment that holds the pieces of one branch; it is kept once its last settled piece is there. */
  const branch = (level: number, index: number, open: ReactNode): ReactElement => {
    const kept = full[level]?.[index]
    if (kept !== undefined) return kept
    const size = FAN_OUT ** level
    const first = index * size
    const children: ReactElement[] = []
    const childSize = size / FAN_OUT
    for (let at = first; at <= pieces.length && at < first + size; at += childSize) {
      const child = at / childSize
      children.push(
        level === 1
          ? createElement(Fragment, { key: child }, at < pieces.length ? pieces[at] : open)
          : branch(level - 1, child, open),
      )
    }
    const element = createElement(Fragment, { key: index }, children)
    const store = full[level]
    if (store && first + size <= pieces.length) store[index] = element
    return element
  }

  return {
    set(index, piece) {
      pieces[index] = piece
      full.forEach((branches, level) => {
        branches[Math.floor(index / FAN_OUT ** level)] = undefined
      })
    },
    render(open) {
      const size = FAN_OUT ** top
      const branches: ReactElement[] = []
      for (let at = 0; at <= pieces.length; at += size) {
        branches.push(branch(top, at / size, open))
      }
      return createElement(Fragment, null, branches)
    },
  }
}
