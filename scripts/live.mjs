// Proves the package against the real AgentScope service: `npm run test:live`.
// Makes a Python venv in .live/venv, builds the package and the demo when they are stale, starts
// test/live/server.py on a free loopback port and runs test/live/*.live.test.ts against it.
// `npm run test:live -- --record DIR` also writes what was sent and received, a file per flow.
// Nothing here is skipped: a machine without Python, or a service that does not start, fails.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { installPackages } from './install.mjs'
import { readRecordFolder, runTests } from './liveTests.mjs'
import { startService, stopService } from './service.mjs'
import { explain, root, run, say } from './steps.mjs'
import { prepareVenv } from './venv.mjs'

/**
 * When the newest of these files was changed; folders are searched.
 *
 * @param {string[]} paths Below the project's root.
 * @returns {number}
 */
function newestOf(paths) {
  const times = paths.map((path) => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false })
    if (stats === undefined) return 0
    if (!stats.isDirectory()) return stats.mtimeMs
    return newestOf(readdirSync(join(root, path)).map((name) => join(path, name)))
  })
  return Math.max(0, ...times)
}

/** Builds what the tests drive, unless it is newer than everything it is made of. */
function buildWhenStale() {
  const tools = ['package.json', 'vite.config.ts', 'vite.demo.config.ts', 'tsconfig.build.json']
  if (newestOf(['dist/entries/core.d.ts']) < newestOf(['src', ...tools])) {
    run('npm', ['run', 'build'], 'The package could not be built')
  }
  if (newestOf(['demo-dist/index.html']) < newestOf(['dist', 'demo', ...tools])) {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = [vite, 'build', '-c', 'vite.demo.config.ts', '--logLevel', 'warn']
    run(process.execPath, args, 'The demo could not be built')
  }
}

async function main() {
  const record = readRecordFolder(process.argv.slice(2), 'test:live')
  installPackages()
  buildWhenStale()
  prepareVenv()
  const browser = await findBrowser({ install: true })
  const state = mkdtempSync(join(tmpdir(), 'agentscope-live-'))
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  const onSignal = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    const service = await startService(state)
    children.push(service.child)
    try {
      const env = {
        AGENTSCOPE_LIVE_URL: service.url,
        CHROMIUM_PATH: browser,
        ...(record === undefined ? {} : { AGENTSCOPE_LIVE_RECORD: record }),
      }
      const outcome = await runTests('test/live/vitest.config.ts', env, (child) => {
        children.push(child)
      })
      if (outcome.failed > 0) say(`The service's log ends with:\n${service.log().slice(-4000)}`)
      return outcome
    } finally {
      await stopService(service)
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

let outcome = { passed: 0, failed: 1, code: /** @type {unknown} */ (1) }
try {
  outcome = await main()
} catch (error) {
  say(explain(error))
}
// A runner that ends badly without a failed test has failed too.
const failed = outcome.failed === 0 && outcome.code !== 0 ? 1 : outcome.failed
say(`${outcome.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && outcome.passed > 0 ? 0 : 1
