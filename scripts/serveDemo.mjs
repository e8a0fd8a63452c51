// Serves the built demo on loopback, under a policy that lets the page load its own files and nothing else.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, extname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'demo-dist')

/** @type {Record<string, string>} */
const mediaTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/**
 * Where the page finds its agents; it reads this from /config.json.
 *
 * @typedef {object} DemoConfig
 * @property {string} url The service's address.
 * @property {string} user Who asks.
 * @property {boolean} isBuiltIn Whether the service is the one that came with the demo.
 */

/**
 * Starts the server.
 *
 * @param {{ config: DemoConfig, port?: number }} options Without a port: 5173, or the next one that is free.
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveDemo({ config, port }) {
  const server = createServer((request, response) => {
    void answer(request, response, config)
  })
  const ports = port === undefined ? [5173, 5174, 5175, 5176, 0] : [port]
  await listen(server, ports)
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * @param {import('node:http').Server} server
 * @param {number[]} ports
 */
async function listen(server, [port, ...others]) {
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve(undefined)
      })
    })
  } catch (error) {
    if (others.length === 0) throw error
    await listen(server, others)
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {DemoConfig} config
 */
async function answer(request, response, config) {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  response.setHeader('content-security-policy', policyFor(config.url, url.searchParams.get('url')))
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cache-control', 'no-cache')
  if (url.pathname === '/config.json') {
    response.writeHead(200, { 'content-type': mediaTypes['.json'] }).end(JSON.stringify(config))
    return
  }
  const path = fileFor(url.pathname)
  try {
    if (path === undefined) throw new Error('Not a file of the demo.')
    const content = await readFile(path)
    const type = mediaTypes[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(content)
  } catch {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found')
  }
}

/** @param {string} pathname */
function fileFor(pathname) {
  try {
    const name = decodeURIComponent(pathname === '/' ? '/index.html' : pathname)
    const path = normalize(join(folder, name))
    return path.startsWith(folder + sep) && !path.includes('\0') ? path : undefined
  } catch {
    return undefined
  }
}

/**
 * The page may talk to its own service, and to the one that its address names.
 *
 * @param {(string | null)[]} services
 */
function policyFor(...services) {
  const origins = services.flatMap((service) => {
    const url = service !== null && URL.canParse(service) ? new URL(service) : undefined
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
    // A policy takes the WebSocket of a place for another place.
    return isHttp ? [url.origin, url.origin.replace('http', 'ws')] : []
  })
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["connect-src 'self'", ...new Set(origins)].join(' '),
    "img-src 'self' data: blob:",
    'media-src blob: data:',
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
