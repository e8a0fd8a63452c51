import { Children, cloneElement, isValidElement } from 'react'
import type { ReactElement, ReactNode } from 'react'

/** A code fence at the top level that grows line by line. */
export interface FenceReader {
  /** How long the source of the whole block is once its closing line is complete; `undefined` while it is open. */
  readonly length: number | undefined
  /**
   * The code as the parser would have it, with its last line end.
   *
   * @param isOpen - Whether to hold back a last line that may become the closing one.
   */
  code(isOpen: boolean): string
  /** Takes the whole source so far; looks only at what is new. */
  read(source: string): void
}

const opening = /^(?:(`{3,})[^`\r\n]*|(~{3,})[^\r\n]*)\r?\n/

/** The opening line of a code fence, when the source begins with a complete one. */
export function fenceOpening(source: string): string | undefined {
  return opening.exec(source)?.[0]
}

/** Makes a reader for a fence, so that a long code block is never parsed again for each of its lines. */
export function createFence(openingLine: string): FenceReader {
  const marker = openingLine.charAt(0)
  const size = /^(?:`+|~+)/.exec(openingLine)?.[0].length ?? 0
  let source = openingLine
  let lineStart = openingLine.length
  let closingStart: number | undefined
  let length: number | undefined

  const isClosing = (line: string): boolean => {
    const run = line.trim()
    return /^ {0,3}[`~]/.test(line) && run.length >= size && run === marker.repeat(run.length)
  }
  return {
    get length() {
      return length
    },
    read(text) {
      source = text
      while (length === undefined) {
        const end = source.indexOf('\n', lineStart)
        if (end === -1) return
        if (isClosing(source.slice(lineStart, end))) {
          closingStart = lineStart
          length = end + 1
        } else {
          lineStart = end + 1
        }
      }
    },
    code(isOpen) {
      let end = closingStart ?? source.length
      if (closingStart === undefined) {
        const last = source.slice(lineStart)
        const run = last.trim()
        const mayClose = isOpen && run !== '' && /^ {0,3}[`~]/.test(last)
        if (isClosing(last) || (mayClose && run === marker.repeat(run.length))) end = lineStart
      }
      const lines = source.slice(openingLine.length, end).replace(/(?:\r?\n|\r)$/, '')
      return lines === '' ? '' : `${lines.replaceAll('\0', '\uFFFD')}\n`
    },
  }
}

interface Holder {
  readonly children?: ReactNode
}

/**
 * Puts code into the element which the parser made from the opening line alone: a fragment with a `pre` with a `code`. So the language and
 * replaced components are what they are for any code block.
 */
export function withCode(shell: ReactElement, code: string): ReactElement {
  const [pre] = Children.toArray(isValidElement<Holder>(shell) ? shell.props.children : [])
  if (!isValidElement<Holder>(pre) || !isValidElement<Holder>(shell)) return shell
  const inner = pre.props.children
  if (!isValidElement<Holder>(inner)) return shell
  return cloneElement(shell, {}, cloneElement(pre, {}, cloneElement(inner, {}, code)))
}
