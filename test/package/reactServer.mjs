// Loads entry points as a bundler for React Server Components does: `node --conditions=react-server` gives
// React's server build, and a module that says 'use client' is replaced by references to its names.
// Prints, for each entry point, what kind of thing each exported name is.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** @type {import('node:module').LoadHook} */
export const load = (url, context, next) => {
  if (!url.startsWith('file:') || context.format !== 'module') return next(url, context)
  const source = readFileSync(fileURLToPath(url), 'utf8')
  if (!/^\s*['"]use client['"]/.test(source)) return next(url, context)
  const names = [...source.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, list = '']) => list.split(','))
    .map((item) => item.trim().split(' as ').at(-1))
    .filter(Boolean)
  const references = names.map((name) => `export const ${name} = { isClientReference: true }`)
  return { format: 'module', shortCircuit: true, source: references.join('\n') }
}

if (isMainThread) {
  register(import.meta.url)
  const kinds = await Promise.all(process.argv.slice(2).map((entry) => kindsIn(entry)))
  process.stdout.write(JSON.stringify(kinds))
}

/** @param {string} entry */
async function kindsIn(entry) {
  /** @type {Record<string, unknown>} */
  const module = await import(entry)
  return Object.fromEntries(
    Object.entries(module).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && 'isClientReference' in value
        ? 'client'
        : typeof value,
    ]),
  )
}
