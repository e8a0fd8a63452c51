import type { LinkTarget, Syntax } from './readSyntax.js'
import type { PieceContext } from './parsePiece.js'

/** The link and footnote definitions of a message; the first of a label counts, as in one document. */
export interface References {
  readonly links: ReadonlyMap<string, LinkTarget>
  readonly notes: ReadonlyMap<string, string>
}

/** No definitions. */
export const noReferences: References = { links: new Map(), notes: new Map() }

/** Adds the definitions of a later piece. The same object comes back when it brings none. */
export function addReferences(known: References, { links, notes }: Syntax): References {
  if (links.size === 0 && notes.size === 0) return known
  return {
    links: new Map([...links, ...known.links]),
    notes: new Map([...notes, ...known.notes]),
  }
}

/**
 * Builds what a piece must be told so that it parses as it would within the whole message: the definitions it refers to, and the
 * footnote calls before it, which decide its numbers.
 *
 * @param text - The piece.
 * @param references - All definitions of the message.
 * @param calls - The footnotes called before the piece, in order.
 */
export function contextFor(
  text: string,
  { links, notes }: References,
  calls: readonly string[],
): PieceContext {
  // The line break keeps the parser from taking a byte order mark at the start of a piece for one of the document.
  const plain: PieceContext = { before: '\n', links: noReferences.links }
  if (!text.includes('[') || links.size + notes.size === 0) return plain
  const folded = fold(text)
  const used = [...links].filter(([label]) => folded.includes(`[${fold(label)}]`))
  const cites = [...notes.keys()].some((label) => folded.includes(`[^${fold(label)}]`))
  if (used.length === 0 && !cites) return plain
  const stubs = used.map(([label]) => `[${label}]: <#>\n`).join('')
  if (!cites) return { before: `${stubs}\n`, links: new Map(used) }
  // All of them: a number is a place in the order of first calls. The rule ends the last definition.
  const noteStubs = [...notes.keys()].map((label) => `[^${label}]: x\n\n`).join('')
  const before = `${noteStubs}***\n\n${stubs}\n${citations(calls)}\n\n`
  return { before, links: new Map(used) }
}

/** A paragraph that calls footnotes. */
export function citations(calls: readonly string[]): string {
  return calls.map((label) => `[^${label}]`).join(' ')
}

/** Whether a piece would parse the same in both contexts. */
export function isSameContext(a: PieceContext, b: PieceContext): boolean {
  return a.before === b.before && JSON.stringify([...a.links]) === JSON.stringify([...b.links])
}

/** Makes labels comparable as markdown compares them; quote markers inside a label that spans lines are ignored. */
function fold(text: string): string {
  return text
    .replace(/[\s>]+/g, ' ')
    .toLowerCase()
    .toUpperCase()
}
