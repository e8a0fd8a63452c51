/** What stands behind the `]` of a label: the index after a complete link, an unfinished link, or no link. */
export function linkTail(text: string, from: number): number | 'open' | 'none' {
  if (from === text.length) return 'open'
  if (text[from] === '[') {
    const end = text.indexOf(']', from)
    return end === -1 ? 'open' : end + 1
  }
  if (text[from] !== '(') return 'none'
  let at = skipSpace(text, from + 1)
  if (text[at] === '<') {
    at = text.indexOf('>', at) + 1
    if (at === 0) return 'open'
  } else {
    at = destinationEnd(text, at)
  }
  at = skipSpace(text, at)
  const quote = text[at] ?? ''
  if (/["'(]/.test(quote)) {
    const close = quote === '(' ? ')' : quote
    do at = text.indexOf(close, at + 1)
    while (at !== -1 && text[at - 1] === '\\')
    if (at === -1) return 'open'
    at = skipSpace(text, at + 1)
  }
  if (at >= text.length) return 'open'
  return text[at] === ')' ? at + 1 : 'none'
}

function destinationEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) break
    else if (/\s/.test(char)) break
  }
  return at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at++
  return at
}
