// Starts and stops the real AgentScope service with its scripted model: test/live/server.py.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root, say, StepError } from './steps.mjs'
import { venvPython } from './venv.mjs'

const HEALTHY_WITHIN_MS = 120_000
const STOPPED_WITHIN_MS = 8_000

/**
 * A service that runs.
 *
 * @typedef {object} Service
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<unknown>} ended Resolves when the process is gone.
 * @property {string} url
 * @property {() => string} log The end of what it wrote.
 */

/**
 * Starts the service and waits until it is healthy.
 *
 * @param {string} state Folder for its database and workspaces; another start with the same folder finds all sessions again.
 * @param {number} [port] Loopback port; a free one by default.
 * @returns {Promise<Service>}
 */
export async function startService(state, port = 0) {
  const child = spawn(venvPython, [join(root, 'test/live/server.py'), state, String(port)], {
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
    const taken = await Promise.race([readPort(child.stdout), failed])
    service.url = `http://127.0.0.1:${taken}`
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

/**
 * Ends a service: asks first, then insists.
 *
 * @param {Pick<Service, 'child' | 'ended'>} service
 */
export async function stopService({ child, ended }) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS)
  await ended
  clearTimeout(kill)
}
