import { createElement } from 'react'
import type { Components } from 'react-markdown'
import { createPieceTree } from './createPieceTree.js'
import { addSyntax, fill, firstChild } from './GrowingBlock.js'
import type { GrowingBlock, GrowingBlockState, PartParser } from './GrowingBlock.js'
import type { ParsedPiece } from './parsePiece.js'
import { repairTail } from './repairTail.js'
import { emptySyntax } from './readSyntax.js'

/**
 * Reads a table row by row: a row depends on nothing but the head, so each is parsed once behind it.
 *
 * @param source - The table as far as it is there, from its first character, with the header and delimiter rows complete.
 */
export function createTable(
  source: string,
  parse: PartParser,
  components: Components,
): GrowingBlock {
  const headEnd = source.indexOf('\n', source.indexOf('\n') + 1) + 1
  const head = source.slice(0, headEnd)
  const shell = parse(head, { keep: 'text', isOpen: false }, [])
  const tableHead = firstChild(firstChild(shell.element))
  const tbody = components.tbody ?? 'tbody'
  const rows = createPieceTree()
  let syntax = addSyntax(emptySyntax(), shell.syntax)
  let count = 0
  let rowStart = headEnd

  const parseRow = (line: string, isOpen: boolean): ParsedPiece =>
    parse(line, { keep: 'rows', isOpen, head }, syntax.calls)
  const show = (open?: ParsedPiece, length?: number): GrowingBlockState => {
    const body = count > 0 || open !== undefined ? rows.render(open?.element) : undefined
    return {
      element:
        body === undefined
          ? shell.element
          : fill(shell.element, {}, tableHead, createElement(tbody, { key: 'tbody-0' }, body)),
      syntax: open === undefined ? syntax : addSyntax(syntax, open.syntax),
      length,
    }
  }
  return {
    read(text, isOpen) {
      for (;;) {
        const end = text.indexOf('\n', rowStart) + 1
        if (end === 0) break
        const line = text.slice(rowStart, end)
        const row = line.trim() === '' ? undefined : parseRow(line, false)
        if (row === undefined || !isRow(row)) return show(undefined, rowStart)
        rows.set(count++, row.element)
        syntax = addSyntax(syntax, row.syntax)
        rowStart = end
      }
      const rest = text.slice(rowStart)
      const line = isOpen ? repairTail(head + rest).text.slice(headEnd) : rest
      if (line.trim() === '') return show()
      const row = parseRow(line, isOpen)
      if (isRow(row)) return show(row)
      // Another block begins here without a blank line; its first line tells for sure when it is complete.
      return isOpen ? show() : show(undefined, rowStart)
    },
  }
}

function isRow({ syntax, isEmpty }: ParsedPiece): boolean {
  return syntax.blocks.length === 0 && !isEmpty
}
