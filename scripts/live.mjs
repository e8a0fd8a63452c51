// Proves the package against the real AgentScope service: `npm run test:live`.
// Makes a Python venv in .live/venv, builds the package and the demo when they are stale, starts
// test/live/server.py on a free loopback port and runs test/live/*.live.test.ts against it.
// `npm run test:live -- --record DIR` also writes what was sent and received, a file per flow.
// Nothing here is skipped: a machine without Python, or a service that does not start, fails.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { buildWhenStale } from './build.mjs'
import { installPackages } from './install.mjs'
import { finish, readRecordFolder, runTests } from './liveTests.mjs'
import { startService, stopService } from './service.mjs'
import { say } from './steps.mjs'
import { prepareVenv } from './venv.mjs'

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

await finish(main)
