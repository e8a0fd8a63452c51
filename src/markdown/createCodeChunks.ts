import { createElement } from 'react'
import type { ReactElement } from 'react'

// One text node of 50 kB costs the browser 6 to 7 ms of layout at each change; blocks of about 2 kB made a growing code block
// 7 times cheaper.
const CHUNK_LENGTH = 2048

/**
 * Makes a function that renders growing code as block-level chunks of whole lines. A chunk that is full is the same
 * element at every call, so React skips it. Where chunks end depends on the text alone, not on how it arrived.
 */
export function createCodeChunks(): (code: string) => ReactElement[] {
  let full: ReactElement[] = []
  let done = ''
  return (code) => {
    if (code.slice(0, done.length) !== done) {
      full = []
      done = ''
    }
    let start = done.length
    const fresh: ReactElement[] = []
    for (;;) {
      const end = code.indexOf('\n', start + CHUNK_LENGTH) + 1
      if (end === 0 || end === code.length) break
      fresh.push(chunk(full.length + fresh.length, code.slice(start, end)))
      start = end
    }
    if (fresh.length > 0) full = [...full, ...fresh]
    done = code.slice(0, start)
    return start < code.length ? [...full, chunk(full.length, code.slice(start))] : full
  }
}

function chunk(index: number, text: string): ReactElement {
  return createElement('span', { key: index, className: 'as-md-code-chunk' }, text)
}
