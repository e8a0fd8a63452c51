/** A URL as the browser would read it, or the reason why it is none. */
export type ReadUrl =
  | { readonly type: 'absolute'; readonly url: URL }
  | { readonly type: 'relative' }
  | { readonly type: 'unreadable' }

// A name that cannot exist (RFC 6761), so whatever still points there named no host itself.
const NOWHERE = 'https://relative.invalid'

/**
 * Reads a URL the way a browser does: the parser drops tabs, line breaks and leading control characters,
 * turns backslashes into slashes and lowers the scheme, so `java\nscript:` and `/\evil.example` are seen as what
 * they would do.
 */
export function readUrl(text: string): ReadUrl {
  // Alone first: beside a base of the same scheme, `https:evil.example` would pass for a path.
  const url = parse(text) ?? parse(text, NOWHERE)
  if (url === undefined) return { type: 'unreadable' }
  if (url.origin !== NOWHERE || url.username !== '') return { type: 'absolute', url }
  return hidesScheme(text) ? { type: 'unreadable' } : { type: 'relative' }
}

function parse(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * Tells whether a relative URL would get a scheme if somebody decoded its character references once more
 * (`javascript&colon;…`). No honest path needs that.
 */
function hidesScheme(text: string): boolean {
  const first = text.split(/[/?]/, 1)[0] ?? ''
  return /&(?:#|colon|tab|newline)/i.test(first)
}
