// Builds dist/ and demo-dist/ when they are missing or older than what they are made from.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

/** What is built, from what, and the file that each build writes last. */
const builds = [
  {
    name: 'the package',
    sources: ['src', 'package.json', 'vite.config.ts', 'tsconfig.json', 'tsconfig.build.json'],
    written: ['dist/entries/index.d.ts', 'dist/entries/testing-server.js', 'dist/styles.css'],
    commands: [
      ['vite/bin/vite.js', 'build', '--logLevel', 'warn'],
      ['typescript/bin/tsc', '-p', 'tsconfig.build.json'],
    ],
  },
  {
    name: 'the demo',
    sources: ['demo', 'vite.demo.config.ts', 'dist/entries/index.d.ts', 'dist/styles.css'],
    written: ['demo-dist/index.html'],
    commands: [['vite/bin/vite.js', 'build', '-c', 'vite.demo.config.ts', '--logLevel', 'warn']],
  },
]

/**
 * Builds what is stale, the package first.
 *
 * @throws Error when a build fails; what it printed says why.
 */
export function buildWhenStale() {
  for (const { name, sources, written, commands } of builds) {
    const made = Math.min(...written.map((path) => changedAt(join(root, path))))
    if (made >= Math.max(...sources.map((path) => changedAt(join(root, path))))) continue
    process.stdout.write(`Building ${name}…\n`)
    for (const [program = '', ...args] of commands) {
      const script = join(root, 'node_modules', program)
      const { status } = spawnSync(process.execPath, [script, ...args], {
        cwd: root,
        stdio: 'inherit',
      })
      if (status !== 0) throw new Error(`${name} could not be built: ${program} failed.`)
    }
  }
}

/**
 * When a file, or the newest file of a folder, last changed, in ms since 1970; 0 when there is none.
 *
 * @param {string} path
 * @returns {number}
 */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  // The folder's own time tells of files that were taken away.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}
