import { createPieceTree } from './createPieceTree.js'
import { findCut } from './findCut.js'
import { addSyntax, fill } from './GrowingBlock.js'
import type { GrowingBlock, GrowingBlockState, PartParser } from './GrowingBlock.js'
import type { ParsedPiece } from './parsePiece.js'
import type { Block } from './readSyntax.js'
import { repairTail } from './repairTail.js'
import { emptySyntax } from './readSyntax.js'

// A new item for certain: a marker, and content that cannot turn the line into a rule.
const certainItem = /^(?:[-+*]|\d{1,9}[.)])[ \t]+[^\s\-*_+]/

/**
 * Reads a list item by item. An item is parsed alone once the next has begun; only whether the list is loose concerns them all, and when
 * that turns out, they are parsed once more.
 *
 * @param source - The list as far as it is there, from its first character, which is its first marker.
 */
export function createList(source: string, parse: PartParser): GrowingBlock {
  const shell = parse(source, { keep: 'text', isOpen: false }, []).element
  const items = createPieceTree()
  let settled: string[] = []
  let syntax = emptySyntax()
  let start = 0
  let isLoose = false
  let hasTasks = false

  const parseItems = (text: string, isOpen: boolean): ParsedPiece =>
    parse(text, { keep: 'items', isOpen, isLoose }, syntax.calls)
  const settle = (text: string): void => {
    const item = parseItems(text, false)
    items.set(settled.length, item.element)
    settled.push(item.text)
    syntax = addSyntax(syntax, item.syntax)
  }
  /** Takes note of what concerns all items; tells whether they must be parsed again. */
  const noteList = (list: Block | undefined): boolean => {
    hasTasks ||= list?.hasTasks === true
    if (isLoose || list?.isLoose !== true) return false
    isLoose = true
    const again = settled
    settled = []
    syntax = emptySyntax()
    for (const text of again) settle(text)
    return true
  }
  const show = (open: ParsedPiece, length?: number): GrowingBlockState => ({
    element: fill(
      shell,
      hasTasks ? { className: 'contains-task-list' } : {},
      '\n',
      items.render(open.element),
    ),
    syntax: addSyntax(syntax, open.syntax),
    length,
  })
  return {
    read(text, isOpen) {
      for (;;) {
        const rest = text.slice(start)
        const repair = isOpen ? repairTail(rest) : { text: rest, from: rest.length }
        let open = parseItems(repair.text, isOpen)
        const [list, next] = open.syntax.blocks
        if (list?.type !== 'list' || list.start !== 0) return undefined
        if (noteList(list)) open = parseItems(repair.text, isOpen)
        const cut = itemCut(rest, list, isOpen ? repair.from : rest.length)
        if (cut > 0) {
          settle(rest.slice(0, cut))
          start += cut
        } else if (next === undefined) {
          return show(open)
        } else {
          const isEnded =
            rest[next.start - 1] === '\n' &&
            findCut(rest, open.syntax.blocks.slice(0, 2), repair.from) >= next.start
          if (isEnded) return show(parseItems(rest.slice(0, next.start), false), start + next.start)
          // Its line tells for sure when it is complete; an indented one, or the end of the text, needs the whole.
          return isOpen && rest[next.start - 1] === '\n' ? show(open) : undefined
        }
      }
    },
  }
}

/** Where the last item begins, when it is certain to be one. */
function itemCut(source: string, { items = [] }: Block, repairedFrom: number): number {
  const start = items.at(-1) ?? 0
  if (start === 0 || source[start - 1] !== '\n') return 0
  const lineEnd = source.indexOf('\n', start)
  if (lineEnd !== -1 && lineEnd < repairedFrom) return start
  const match = certainItem.exec(source.slice(start))
  return match !== null && start + match[0].length <= repairedFrom ? start : 0
}
