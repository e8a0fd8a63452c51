import { cloneElement } from 'react'
import type { ReactElement } from 'react'
import { fill, firstChild } from './GrowingBlock.js'
import type { GrowingBlock, GrowingBlockState } from './GrowingBlock.js'
import { emptySyntax } from './readSyntax.js'

const opening = /^(?:(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*)\r?\n/

/** The opening line of a code fence, when the source begins with a complete one. */
export function fenceOpening(source: string): string | undefined {
  return opening.exec(source)?.[0]
}

/**
 * Reads a code fence line by line.
 *
 * @param openingLine - Its complete first line.
 * @param shell - What the parser makes of the first line alone: a fragment with a `pre` with a `code`. The code is put into it, so the
 *   language and replaced components are what they are for any code block.
 */
export function createFence(openingLine: string, shell: ReactElement): GrowingBlock {
  const marker = openingLine.charAt(0)
  const size = /^(?:`+|~+)/.exec(openingLine)?.[0].length ?? 0
  const syntax = emptySyntax()
  let lineStart = openingLine.length
  /** The complete lines before `lineStart`, as the parser would have them. */
  let lines = ''

  const isRun = (line: string, least: number): boolean => {
    const run = line.trim()
    return /^ {0,3}[`~]/.test(line) && run.length >= least && run === marker.repeat(run.length)
  }
  const show = (last: string, length?: number): GrowingBlockState => {
    // As the parser has it: without the last line end, then with a plain one.
    const code = withoutLineEnd(lines + last)
    return { element: withCode(shell, code === '' ? '' : `${code}\n`), syntax, length }
  }
  return {
    read(source, isOpen) {
      for (;;) {
        const end = source.indexOf('\n', lineStart)
        if (end === -1) break
        if (isRun(source.slice(lineStart, end), size)) return show('', end + 1)
        lines += clean(source.slice(lineStart, end + 1))
        lineStart = end + 1
      }
      const last = source.slice(lineStart)
      // The last line may be, or become, the closing one.
      return show(isRun(last, isOpen ? 1 : size) ? '' : clean(last))
    },
  }
}

function withoutLineEnd(code: string): string {
  if (code.endsWith('\r\n')) return code.slice(0, -2)
  return /[\r\n]$/.test(code.slice(-1)) ? code.slice(0, -1) : code
}

/** As the parser cleans its input. */
function clean(line: string): string {
  return line.replaceAll('\0', '\uFFFD')
}

function withCode(shell: ReactElement, code: string): ReactElement {
  const inner = firstChild(firstChild(shell))
  return inner === undefined ? shell : fill(shell, {}, cloneElement(inner, {}, code))
}
