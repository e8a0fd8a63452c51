import { readUrl } from './readUrl.js'

// Marks that reorder or hide characters: bidi controls, zero-width characters, soft hyphen, variation selectors.
const invisible = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFE00-\uFE0F\uFEFF]/g
const reordering = /[\u202A-\u202E\u2066-\u2069]/

/**
 * Tells where a link goes, in the fewest words that cannot deceive.
 *
 * @param href - The link as written.
 * @returns The real host with its port (international names in their ASCII form, so look-alike letters show), the
 *   address of a `mailto:` or the number of a `tel:` link, the scheme of anything else, and `''` for a link within
 *   the app or one that cannot be read.
 */
export function linkDestination(href: string): string {
  const read = readUrl(href)
  if (read.type !== 'absolute') return ''
  const { url } = read
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') {
    return withoutInvisible(decode(url.pathname))
  }
  return url.host === '' ? url.protocol : url.host
}

/**
 * Tells whether the text of a link makes a reader expect another place than the link opens. Then the real
 * destination must stand beside it.
 *
 * @param text - The visible text of the link.
 * @param href - The link as written.
 * @returns `true` when the text looks like a URL or host of another host, when it reorders its characters, or when the
 *   link itself carries a user name before its host (`https://good.example@evil.example`).
 */
export function isMisleadingLink(text: string, href: string): boolean {
  const read = readUrl(href)
  if (read.type !== 'absolute') return false
  if (read.url.username !== '' || reordering.test(text)) return true
  const shown = hostIn(withoutInvisible(text).trim())
  return shown !== undefined && shown !== withoutWww(read.url.hostname)
}

/** The host a text names when it reads as a URL, a bare host or a host with a path. */
function hostIn(text: string): string | undefined {
  const match =
    /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}([^\s\\/?#]+)/i.exec(text) ??
    /^((?:[^\s\\/?#@:.]+\.)+[^\s\\/?#@:.]{2,})(?::\d+)?(?:[\\/?#]|$)/.exec(text)
  const authority = match?.[1]
  if (authority === undefined) return undefined
  const read = readUrl(`https://${authority.slice(authority.lastIndexOf('@') + 1)}`)
  return read.type === 'absolute' ? withoutWww(read.url.hostname) : authority
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host
}

function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
