/** The service the page talks to. */
export interface Service {
  /** Its address. */
  readonly url: string
  /** Who asks: `X-User-ID`. */
  readonly user: string
  /** Whether it came with the demo. */
  readonly isBuiltIn: boolean
}

/** The service that the page's address names, or the one it was started with. */
export async function findService(): Promise<Service> {
  const query = new URLSearchParams(location.search)
  const config = await readConfig()
  const url = query.get('url')
  const user = query.get('user')
  if (url === null) return { ...config, user: user ?? config.user }
  return { url: url.replace(/\/+$/, ''), user: user ?? 'demo', isBuiltIn: false }
}

async function readConfig(): Promise<Service> {
  const response = await fetch('./config.json')
  const config: unknown = await response.json()
  if (typeof config !== 'object' || config === null) throw new Error('config.json is no object.')
  const [url, user, isBuiltIn] = ['url', 'user', 'isBuiltIn'].map((name) =>
    Reflect.get(config, name),
  )
  if (typeof url !== 'string' || typeof user !== 'string')
    throw new Error('config.json lacks its url or user.')
  return { url, user, isBuiltIn: isBuiltIn === true }
}
