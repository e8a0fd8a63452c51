import { linkDestination } from './linkDestination.js'
import { mediaKind } from './mediaKind.js'
import type { MediaKind } from './mediaKind.js'
import { readUrl } from './readUrl.js'

/** What may become of a link somebody else wrote. */
export type LinkVerdict =
  | {
      /** The person may follow it. */
      readonly verdict: 'allow'
      /** Whether it leaves the app, and so opens in a new tab without a referrer. */
      readonly isExternal: boolean
      /** Where it goes, to be shown: see {@link linkDestination}. `''` inside the app. */
      readonly destination: string
    }
  | {
      /** It is shown as text. */
      readonly verdict: 'block'
    }

/** What may become of an image, sound, film or file somebody else named. */
export type MediaVerdict =
  | {
      /** It may load by itself. */
      readonly verdict: 'allow'
    }
  | {
      /** Nothing is requested until the person asks for it. */
      readonly verdict: 'ask'
      /** The host the request would go to, to be shown; `''` for the app's own. */
      readonly host: string
    }
  | {
      /** It never loads. */
      readonly verdict: 'block'
    }

/**
 * Decides what content written by a model may open or load. Everything the kit renders goes through one of these, so an app
 * states its rule once.
 */
export interface UrlPolicy {
  /**
   * Decides about the target of a link.
   *
   * @param href - The target as written; anything, including nonsense.
   */
  link(href: string): LinkVerdict
  /**
   * Decides about something that would be fetched and shown.
   *
   * @param src - The address as written; anything, including nonsense.
   * @param kind - What it would be shown as.
   */
  media(src: string, kind: MediaKind): MediaVerdict
}

/** What an app allows beyond the default. */
export interface UrlPolicyOptions {
  /**
   * Hosts whose media load without a click, over https: `'cdn.example.com'` names one host, `'*.example.com'` all hosts below it.
   * Each is a place a prompt injection could send data to, so name only hosts that keep no public logs. Default: none.
   */
  readonly mediaHosts?: readonly string[]
  /** Whether media with a relative address (the app's own origin) load without a click. Default: `false`. */
  readonly ownMedia?: boolean
  /** Schemes of links beyond `http`, `https`, `mailto` and `tel`, such as `'vscode'`; script schemes stay blocked. */
  readonly linkSchemes?: readonly string[]
  /**
   * Recognises a `blob:` URL which the app itself made. Others are blocked, as a model has no business naming one.
   * Default: none is recognised.
   */
  readonly isOwnBlob?: (url: string) => boolean
}

const scriptSchemes: ReadonlySet<string> = new Set([
  ...['javascript:', 'vbscript:', 'data:', 'blob:', 'filesystem:', 'about:', 'view-source:'],
])

/**
 * Makes a policy: links to the web, mail and phone open, media ask first, nothing that could run is ever let through.
 *
 * @param options - What the app allows beyond that.
 */
export function createUrlPolicy(options: UrlPolicyOptions = {}): UrlPolicy {
  const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])
  for (const scheme of options.linkSchemes ?? []) {
    schemes.add(`${scheme.toLowerCase().replace(/:$/, '')}:`)
  }
  return {
    link: (href) => checkLink(href, schemes),
    media: (src, kind) => checkMedia(src, kind, options),
  }
}

/** The policy without exceptions: no media load until the person clicks. */
export const defaultUrlPolicy: UrlPolicy = createUrlPolicy()

function checkLink(href: string, schemes: ReadonlySet<string>): LinkVerdict {
  const read = readUrl(href)
  if (read.type === 'unreadable') return { verdict: 'block' }
  if (read.type === 'relative') return { verdict: 'allow', isExternal: false, destination: '' }
  const { protocol } = read.url
  if (scriptSchemes.has(protocol) || !schemes.has(protocol)) return { verdict: 'block' }
  return { verdict: 'allow', isExternal: true, destination: linkDestination(href) }
}

function checkMedia(src: string, kind: MediaKind, options: UrlPolicyOptions): MediaVerdict {
  const read = readUrl(src)
  if (src.trim() === '' || read.type === 'unreadable') return { verdict: 'block' }
  if (read.type === 'relative') {
    return options.ownMedia === true ? { verdict: 'allow' } : { verdict: 'ask', host: '' }
  }
  const { url } = read
  switch (url.protocol) {
    case 'data:':
      return { verdict: kind !== 'file' && mediaKind(dataType(url)) === kind ? 'allow' : 'block' }
    case 'blob:':
      return { verdict: options.isOwnBlob?.(src) === true ? 'allow' : 'block' }
    case 'https:':
    case 'http:':
      return isListed(url, options.mediaHosts ?? [])
        ? { verdict: 'allow' }
        : { verdict: 'ask', host: url.host }
    default:
      return { verdict: 'block' }
  }
}

function dataType(url: URL): string {
  return url.pathname.split(/[;,]/, 1)[0] ?? ''
}

function isListed(url: URL, hosts: readonly string[]): boolean {
  if (url.protocol !== 'https:' || url.username !== '') return false
  return hosts.some((host) => {
    const name = host.toLowerCase()
    return name.startsWith('*.') ? url.host.endsWith(name.slice(1)) : url.host === name
  })
}
