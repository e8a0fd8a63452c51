import { repairInline } from './repairInline.js'
import type { Repair } from './repairInline.js'

// Quote and list markers at the start of a line, as many as there are.
const containers = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/
// A line that cannot continue a paragraph.
const blockStart = /^[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3}|\|)/
// What may stand before the text of a block on its first line.
const blockPrefix = /^(?:#{1,6}[ \t]+|\[[ xX]\][ \t]+|\[\^[^\]\s]*\]:[ \t]*)?/
// The first characters of a heading, list, quote, rule, underline, fence or task box: too early to tell.
const undecided =
  /^(?:#{1,6}|\d{1,9}[.)]?|>|\+|[-*_=](?:[ \t]*[-*_=])*|`{1,2}|~{1,2}|\[[ xX]?\]?)?$/
const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/

/**
 * Makes the end of a piece of markdown that is still being written presentable: half markup is completed or held back, so
 * nothing is shown that the next characters would take away. All it changes lies in the last block.
 *
 * @param source - The open piece, raw.
 */
export function repairTail(source: string): Repair {
  const body = source.trimEnd()
  const trail = source.slice(body.length)
  const fence = openFence(source)
  if (fence !== undefined) return holdClosingFence(source, fence)
  if (/\n[ \t]*\r?\n/.test(trail)) return { text: source, from: source.length }

  const lineStart = body.lastIndexOf('\n') + 1
  const indent = containers.exec(body.slice(lineStart) + trail)?.[0].length ?? 0
  const contentStart = lineStart + indent
  const content = body.slice(contentStart)
  const isPartial = !trail.includes('\n')

  if (isPartial) {
    if (undecided.test(content) || isPartialDefinition(content)) {
      const rest = lineStart === 0 ? { text: '', from: 0 } : repairTail(body.slice(0, lineStart))
      return { text: rest.text, from: Math.min(rest.from, lineStart) }
    }
    const marker = fenceMarker(content)
    if (marker !== undefined) {
      const end = contentStart + marker.length
      return { text: body.slice(0, end), from: Math.min(end, source.length) }
    }
  }
  const repaired = repairTable(body, contentStart, isPartial) ?? repairParagraph(body)
  return repaired.from >= body.length && repaired.text === body
    ? { text: source, from: source.length }
    : { text: repaired.text + trail, from: repaired.from }
}

/** A link definition shows nothing, and a footnote shows elsewhere; neither must flash by as text. */
function isPartialDefinition(content: string): boolean {
  return /^\[(?:(?!\^)[^\]]*\]:|\^[^\]\s]*(?:\]:?)?$|[^\s\]]{0,30}\]?$)/.test(content)
}

function repairParagraph(body: string): Repair {
  const start = paragraphStart(body)
  const head = body.slice(start)
  const prefix = containers.exec(head)?.[0] ?? ''
  const content = head.slice(prefix.length)
  // Raw HTML, which is shown as it is.
  if (/^<(?:[!?/]|[a-z][a-z0-9-]*[\s/>])/i.test(content)) return { text: body, from: body.length }
  const inner = start + prefix.length + (blockPrefix.exec(content)?.[0].length ?? 0)
  return repairFrom(body, inner)
}

function repairFrom(body: string, start: number): Repair {
  const inline = repairInline(body.slice(start))
  return { text: body.slice(0, start) + inline.text, from: start + inline.from }
}

/** Where the paragraph begins whose last line ends the text. */
function paragraphStart(body: string): number {
  let end = body.length
  for (;;) {
    const start = body.lastIndexOf('\n', end - 1) + 1
    const line = body.slice(start, end)
    if (line.trim() === '') return Math.min(end + 1, body.length)
    if (start === 0 || blockStart.test(line)) return start
    end = start - 1
  }
}

interface Fence {
  readonly marker: string
  readonly size: number
}

/** The code fence, at any depth of lists and quotes, that is open at the end. */
function openFence(source: string): Fence | undefined {
  if (!/`{3}|~{3}/.test(source)) return undefined
  let fence: (Fence & { indent: number; isQuoted: boolean }) | undefined
  for (const line of source.split('\n').slice(0, -1)) {
    const prefix = containers.exec(line)?.[0] ?? ''
    if (fence !== undefined) {
      const indent = /^[ \t>]*/.exec(line)?.[0].length ?? 0
      const leaves = line.trim() !== '' && indent < fence.indent - 3
      const isClosing = isFenceEnd(line.replace(/^[ \t>]*/, ''), fence)
      if (leaves || isClosing || (fence.isQuoted && !line.includes('>'))) fence = undefined
      if (!leaves || isClosing) continue
    }
    const marker = fenceMarker(line.slice(prefix.length).trimEnd())
    if (marker !== undefined) {
      fence = {
        marker: marker.charAt(0),
        size: marker.length,
        indent: prefix.length,
        isQuoted: prefix.includes('>'),
      }
    }
  }
  return fence
}

/** The markers of a line that opens a code fence. */
function fenceMarker(line: string): string | undefined {
  const opening = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)
  return opening?.[1] ?? opening?.[2]
}

function isFenceEnd(line: string, { marker, size }: Fence): boolean {
  const run = line.trimEnd()
  return run.length >= size && run === marker.repeat(run.length)
}

function holdClosingFence(source: string, fence: Fence): Repair {
  const lineStart = source.lastIndexOf('\n') + 1
  const line = source
    .slice(lineStart)
    .replace(/^[ \t>]*/, '')
    .trimEnd()
  return line !== '' && line === fence.marker.repeat(line.length)
    ? { text: source.slice(0, lineStart), from: lineStart }
    : { text: source, from: source.length }
}

/**
 * Handles a last line that belongs to a table, or to what may become one: a complete header row is shown as a table before
 * its delimiter row arrives, a header row in progress as its words.
 */
function repairTable(body: string, contentStart: number, isPartial: boolean): Repair | undefined {
  const content = body.slice(contentStart)
  const before = linesBefore(body, contentStart)
  if (isInTable(isPartial ? before : [...before, content])) {
    if (!isPartial) return { text: body, from: body.length }
    if (content === '|') {
      const end = body.lastIndexOf('\n')
      return { text: body.slice(0, end), from: end }
    }
    return repairFrom(body, contentStart + lastCell(content))
  }
  const header = before.at(-1)
  if (isPartial && header?.includes('|') && /^[|:-][|: \t-]*$/.test(content)) {
    const row = header.startsWith('|') ? delimiterFor(header) : ''
    return { text: body.slice(0, contentStart) + row, from: contentStart }
  }
  if (!content.startsWith('|')) return undefined
  if (!isPartial && /[^\\]\|$/.test(content)) {
    const lineStart = body.lastIndexOf('\n') + 1
    // The next line stands in the same containers: list markers become their indentation.
    const indent = body.slice(lineStart, contentStart).replace(/[^>\t]/g, ' ')
    return { text: `${body}\n${indent}${delimiterFor(content)}`, from: body.length }
  }
  const words = repairInline(content.replace(/\\?\|/g, (pipe) => (pipe === '|' ? ' ' : '|')).trim())
  return { text: body.slice(0, contentStart) + words.text, from: contentStart }
}

/** The lines of the same block before the last, without their container markers, nearest last. */
function linesBefore(body: string, contentStart: number): string[] {
  const lines: string[] = []
  let end = body.lastIndexOf('\n', contentStart - 1)
  while (end > 0) {
    const start = body.lastIndexOf('\n', end - 1) + 1
    const line = body.slice(start, end).replace(containers, '').trim()
    if (line === '') break
    lines.unshift(line)
    end = start - 1
  }
  return lines
}

function isInTable(lines: readonly string[]): boolean {
  return lines.some((line, index) => {
    const header = lines[index - 1]
    return (
      header !== undefined &&
      /[|:]/.test(line) &&
      delimiterRow.test(line) &&
      cellsOf(line) === cellsOf(header)
    )
  })
}

function cellsOf(row: string): number {
  const inner = row.replace(/^\|/, '').replace(/(^|[^\\])\|$/, '$1')
  return inner.split(/(?<!\\)\|/).length
}

function delimiterFor(header: string): string {
  return `|${' --- |'.repeat(cellsOf(header))}`
}

/** Where the last cell of a row begins. */
function lastCell(row: string): number {
  let at = row.lastIndexOf('|')
  while (at > 0 && row[at - 1] === '\\') at = row.lastIndexOf('|', at - 1)
  return at + 1
}
