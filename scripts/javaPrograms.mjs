// Builds and starts the Java programs of test/live-java: an agent behind the JDK's HTTP server, and behind Spring.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { stopService } from './service.mjs'
import { root, run, say, StepError } from './steps.mjs'

const folder = join(root, 'test/live-java')
const STARTED_WITHIN_MS = 120_000
const JAVA = 17
const isWindows = process.platform === 'win32'

/**
 * A program that runs.
 *
 * @typedef {import('./service.mjs').Service & { version: string }} Program
 */

/** Where the JDK is: `JAVA_HOME`, as Maven takes it, or the PATH. */
function javaTool(/** @type {string} */ name) {
  const home = process.env['JAVA_HOME']
  return home ? join(home, 'bin', name) : name
}

/** Says which JDK and Maven are used, or that one is missing. */
function checkTools() {
  const javac = spawnSync(javaTool('javac'), ['-version'], { encoding: 'utf8' })
  const java = `${javac.stdout ?? ''}${javac.stderr ?? ''}`.trim()
  const version = Number(/^javac (\d+)/.exec(java)?.[1] ?? 0)
  if (version < JAVA) {
    throw new StepError(
      `A JDK of at least Java ${JAVA} is needed (javac in JAVA_HOME or on the PATH); found ${java || 'none'}.`,
    )
  }
  const mvn = spawnSync('mvn', ['-version'], { encoding: 'utf8', shell: isWindows })
  if (mvn.status !== 0) throw new StepError('Maven is needed (mvn on the PATH); found none.')
  say(`${java}; ${stripVTControlCharacters(mvn.stdout.split('\n')[0] ?? '')}`)
}

/**
 * Builds the programs. What Maven fetched once it has: then this works without a network.
 *
 * @param {string | undefined} version Of agentscope-core; by default the one of pom.xml.
 */
export function buildPrograms(version) {
  checkTools()
  const chosen = version === undefined ? [] : [`-Dagentscope.version=${version}`]
  const args = ['--batch-mode', '--quiet', '--file', join(folder, 'pom.xml'), ...chosen, 'package']
  run('mvn', args, 'The Java programs could not be built')
}

/**
 * Starts a program and waits until it says where it listens.
 *
 * @param {'agent' | 'spring'} module Its Maven module.
 * @param {string} mainClass
 * @returns {Promise<Program>}
 */
export async function startProgram(module, mainClass) {
  const target = join(folder, module, 'target')
  const libraries = readFileSync(join(target, 'classpath.txt'), 'utf8').trim()
  const classpath = [join(target, 'classes'), libraries].join(delimiter)
  // It ends with its standard input, so also when this process is gone.
  const child = spawn(javaTool('java'), ['-cp', classpath, mainClass], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let log = ''
  const keep = (/** @type {unknown} */ chunk) => {
    log = (log + String(chunk)).slice(-20_000)
  }
  child.stderr.on('data', keep)
  const ended = new Promise((done) => {
    child.once('exit', done)
    child.once('error', done)
  })
  const program = { child, ended, url: '', version: '', log: () => log }
  try {
    const { port, agentscope, java } = await Promise.race([
      readFirstWords(child.stdout, keep),
      ended.then(() => Promise.reject(new StepError(`${mainClass} did not start:\n${log}`))),
      timeout(`${mainClass} did not say within ${STARTED_WITHIN_MS} ms where it listens.`),
    ])
    program.url = `http://127.0.0.1:${port}`
    program.version = agentscope
    say(`${mainClass} at ${program.url}: agentscope-core ${agentscope}, Java ${java}`)
    return program
  } catch (error) {
    await stopService(program)
    throw error
  }
}

/**
 * Reads lines until the one that says where the program listens; what comes later is kept in the log.
 *
 * @param {import('node:stream').Readable} stdout
 * @param {(line: string) => void} keep
 * @returns {Promise<{ port: number, agentscope: string, java: string }>}
 */
function readFirstWords(stdout, keep) {
  return new Promise((done) => {
    createInterface({ input: stdout }).on('line', (line) => {
      if (line.startsWith('{"port"')) done(JSON.parse(line))
      else keep(`${line}\n`)
    })
  })
}

/** @param {string} message @returns {Promise<never>} */
function timeout(message) {
  return new Promise((_, fail) => {
    setTimeout(() => fail(new StepError(message)), STARTED_WITHIN_MS).unref()
  })
}
