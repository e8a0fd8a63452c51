// Proves the package against the real AgentScope service: `npm run test:live`.
// Makes a Python venv in .live/venv, builds the package and the demo when they are stale, starts
// test/live/server.py on a free loopback port and runs test/live/*.live.test.ts against it.
// `npm run test:live -- --record DIR` also writes what was sent and received, a file per flow.
// Nothing here is skipped: a machine without Python, or a service that does not start, fails.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findBrowser } from './browser.mjs'
import { installPackages } from './install.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const liveDir = join(root, '.live')
const venv = join(liveDir, 'venv')
const venvPython = join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
const requirements = join(root, 'test/live/requirements.txt')
const counts = join(liveDir, 'counts.json')

const HEALTHY_WITHIN_MS = 120_000
const STOPPED_WITHIN_MS = 8_000

/** A step that failed in a way its message explains: no stack needed. */
class StepError extends Error {}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}

/**
 * Runs a command to its end, its output on ours.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} why What fails when it fails.
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(command, args, why, env = process.env) {
  say(`$ ${command} ${args.join(' ')}`)
  const shell = process.platform === 'win32' && command === 'npm'
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, shell })
  if (status !== 0) {
    throw new StepError(`${why}: ${command} ended with ${error?.message ?? status}.`)
  }
}

/** @param {string[]} args */
function recordFolder(args) {
  const at = args.indexOf('--record')
  if (at < 0) return undefined
  const folder = args[at + 1]
  if (folder === undefined || folder.startsWith('--')) {
    throw new StepError('--record needs a folder: npm run test:live -- --record DIR')
  }
  return resolve(folder)
}

function findPython() {
  const named = process.env['PYTHON']
  const names = named ? [named] : ['python3.11', 'python3.12', 'python3.13', 'python3', 'python']
  const asksVersion = 'import sys; print(sys.version_info >= (3, 11))'
  const found = names.find((name) => {
    const { status, stdout } = spawnSync(name, ['-c', asksVersion], { encoding: 'utf8' })
    return status === 0 && stdout.trim() === 'True'
  })
  if (found === undefined) {
    throw new StepError(`The service needs Python 3.11 or newer; tried ${names.join(', ')}.`)
  }
  return found
}

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

/** Makes the venv, or keeps the one whose packages were installed from the same list. */
function prepareVenv() {
  const wanted = readFileSync(requirements, 'utf8')
  const stamp = join(venv, 'installed.txt')
  if (existsSync(venvPython) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(venv, { recursive: true, force: true })
  mkdirSync(liveDir, { recursive: true })
  run(findPython(), ['-m', 'venv', venv], 'The venv could not be made')
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  run(venvPython, [...pip, '-r', requirements], 'The service could not be installed')
  writeFileSync(stamp, wanted)
}

/**
 * Starts the service.
 *
 * @param {string} state Folder for its database and workspaces.
 */
async function startService(state) {
  const child = spawn(venvPython, [join(root, 'test/live/server.py'), state], {
    cwd: root,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log = (log + String(chunk)).slice(-20_000)
  })
  const ended = new Promise((done) => {
    child.once('exit', done)
    child.once('error', done)
  })
  const failed = ended.then(() => {
    throw new StepError(`The service did not start:\n${log}`)
  })
  const service = { child, ended, url: '', log: () => log }
  try {
    const port = await Promise.race([readPort(child.stdout), failed])
    service.url = `http://127.0.0.1:${port}`
    await Promise.race([untilHealthy(service.url), failed])
    return service
  } catch (error) {
    await stopService(service)
    throw error
  }
}

/**
 * The port that the service prints on its first line.
 *
 * @param {import('node:stream').Readable} stdout
 * @returns {Promise<number>}
 */
async function readPort(stdout) {
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('{"port"')) return JSON.parse(line).port
  }
  return new Promise(() => {}) // It ended: the exit says more.
}

/** @param {string} url */
async function untilHealthy(url) {
  const deadline = Date.now() + HEALTHY_WITHIN_MS
  for (;;) {
    try {
      const response = await fetch(`${url}/health`, { headers: { 'X-User-ID': 'live' } })
      const health = await response.json()
      if (response.ok) {
        say(`AgentScope service ${health.version} at ${url} is ${health.status}.`)
        return
      }
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline) throw new StepError(`The service at ${url} is not healthy.`)
    await new Promise((done) => setTimeout(done, 200))
  }
}

/** @param {{ child: import('node:child_process').ChildProcess, ended: Promise<unknown> }} service */
async function stopService({ child, ended }) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS)
  await ended
  clearTimeout(kill)
}

/**
 * Runs the tests and counts them.
 *
 * @param {string} url The service.
 * @param {string} browser Path of Chromium.
 * @param {string | undefined} record Folder for recordings.
 * @param {(child: import('node:child_process').ChildProcess) => void} onStart
 */
async function runTests(url, browser, record, onStart) {
  mkdirSync(liveDir, { recursive: true })
  rmSync(counts, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=verbose', '--reporter=./scripts/countsReporter.mjs']
  const config = ['--root', root, '--config', 'test/live/vitest.config.ts']
  const child = spawn(process.execPath, [vitest, 'run', ...config, ...reporters], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      AGENTSCOPE_LIVE_URL: url,
      CHROMIUM_PATH: browser,
      COUNTS_FILE: counts,
      ...(record === undefined ? {} : { AGENTSCOPE_LIVE_RECORD: record }),
    },
  })
  onStart(child)
  const code = await new Promise((done) => {
    child.once('exit', done)
    child.once('error', () => done(1))
  })
  if (!existsSync(counts)) return { code, passed: 0, failed: 1 }
  /** @type {{ passed: number, failed: number, skipped: number }} */
  const { passed, failed, skipped } = JSON.parse(readFileSync(counts, 'utf8'))
  return { code, passed, failed: failed + skipped } // nothing here may be skipped
}

async function main() {
  const record = recordFolder(process.argv.slice(2))
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
      const outcome = await runTests(service.url, browser, record, (child) => children.push(child))
      if (outcome.failed > 0) say(`The service's log ends with:\n${service.log().slice(-4000)}`)
      return outcome
    } finally {
      await stopService(service)
    }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

let outcome = { passed: 0, failed: 1, code: 1 }
try {
  outcome = await main()
} catch (error) {
  const isExplained = error instanceof StepError || !(error instanceof Error)
  say(isExplained ? String(error) : (error.stack ?? error.message))
}
// A runner that ends badly without a failed test has failed too.
const failed = outcome.failed === 0 && outcome.code !== 0 ? 1 : outcome.failed
say(`${outcome.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && outcome.passed > 0 ? 0 : 1
