import { createElement, Fragment } from 'react'
import { createPieceTree } from './createPieceTree.js'
import { addSyntax, fill } from './GrowingBlock.js'
import type { GrowingBlock, PartParser } from './GrowingBlock.js'
import { repairInline, settledInline } from './repairInline.js'
import { emptySyntax } from './readSyntax.js'

// Long enough that parts are few, short enough that parsing the open one is cheap.
const PART_LENGTH = 1024

/**
 * Shows a very long paragraph part by part while it grows. When it ends it is parsed as a whole, since only the parser knows for sure
 * what pairs with what.
 */
export function createParagraph(parse: PartParser): GrowingBlock {
  const shell = parse('x', { keep: 'text', isOpen: false }, []).element
  const parts = createPieceTree()
  let count = 0
  let start = 0
  let syntax = emptySyntax()

  return {
    read(source, isOpen) {
      let rest = source.slice(start)
      if (!isOpen || /\n[ \t]*\r?\n/.test(rest)) return undefined
      while (rest.length > 2 * PART_LENGTH) {
        const cut = settledInline(rest.slice(0, -1))
        if (cut < PART_LENGTH) break
        const part = parse(rest.slice(0, cut), { keep: 'words', isOpen: false }, syntax.calls)
        if (!isParagraph(part.syntax.blocks)) return undefined
        syntax = addSyntax(syntax, part.syntax)
        parts.set(count++, createElement(Fragment, null, part.element, ' '))
        start += cut + 1
        rest = source.slice(start)
      }
      const open = parse(repairInline(rest).text, { keep: 'words', isOpen }, syntax.calls)
      if (!isParagraph(open.syntax.blocks)) return undefined
      return {
        element: fill(shell, {}, parts.render(open.element)),
        syntax: addSyntax(syntax, open.syntax),
        length: undefined,
      }
    },
  }
}

function isParagraph(blocks: readonly { readonly type: string }[]): boolean {
  return blocks.length === 1 && blocks[0]?.type === 'paragraph'
}
