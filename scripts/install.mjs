// Packages for a fresh clone: a script that needs them calls installPackages() before it imports any.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)

/**
 * Runs `npm ci` when node_modules is missing or older than the lock file; otherwise does nothing.
 *
 * @throws Error when npm fails.
 */
export function installPackages() {
  const installed = changedAt('node_modules/.package-lock.json')
  if (installed > changedAt('package-lock.json') && changedAt('test/react18/node_modules') > 0) {
    return
  }
  process.stdout.write('$ npm ci\n')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('npm ci failed; what it printed above says why.')
}

/**
 * When a file last changed, in ms since 1970; 0 when there is none.
 *
 * @param {string} path
 */
function changedAt(path) {
  return statSync(new URL(path, root), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
