// What the runs against real services share: the folder for recordings, Vitest with its count, and the last line.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { explain, root, say, StepError } from './steps.mjs'
import { liveDir } from './venv.mjs'

/** @typedef {{ code: unknown, passed: number, failed: number }} Outcome How Vitest ended, and its count. */

const counts = join(liveDir, 'counts.json')

/**
 * The folder that `--record DIR` names.
 *
 * @param {string[]} args
 * @param {string} script The npm script, for the message.
 */
export function readRecordFolder(args, script) {
  const at = args.indexOf('--record')
  if (at < 0) return undefined
  const folder = args[at + 1]
  if (folder === undefined || folder.startsWith('--')) {
    throw new StepError(`--record needs a folder: npm run ${script} -- --record DIR`)
  }
  return resolve(folder)
}

/**
 * Runs the tests of a config and counts them. Nothing there may be skipped: what is skipped has failed.
 *
 * @param {string} config Path of Vitest's config below the project's root.
 * @param {Record<string, string>} env What the tests are told.
 * @param {(child: import('node:child_process').ChildProcess) => void} onStart
 * @returns {Promise<Outcome>}
 */
export async function runTests(config, env, onStart) {
  mkdirSync(liveDir, { recursive: true })
  rmSync(counts, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=verbose', '--reporter=./scripts/countsReporter.mjs']
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--root', root, '--config', config, ...reporters],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, COUNTS_FILE: counts },
    },
  )
  onStart(child)
  const code = await new Promise((done) => {
    child.once('exit', done)
    child.once('error', () => done(1))
  })
  if (!existsSync(counts)) return { code, passed: 0, failed: 1 }
  /** @type {{ passed: number, failed: number, skipped: number }} */
  const { passed, failed, skipped } = JSON.parse(readFileSync(counts, 'utf8'))
  return { code, passed, failed: failed + skipped }
}

/**
 * Runs a script to its end and says what came of it; the process ends with an error unless something passed and nothing failed.
 *
 * @param {() => Promise<Outcome>} main
 */
export async function finish(main) {
  /** @type {Outcome} */
  let outcome = { passed: 0, failed: 1, code: 1 }
  try {
    outcome = await main()
  } catch (error) {
    say(explain(error))
  }
  // A runner that ends badly without a failed test has failed too.
  const failed = outcome.failed === 0 && outcome.code !== 0 ? 1 : outcome.failed
  say(`${outcome.passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && outcome.passed > 0 ? 0 : 1
}
