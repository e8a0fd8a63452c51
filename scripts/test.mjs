// `npm test`: every gate, then every test. Works on a fresh clone. Each gate counts as one check; the last
// line is "N passed, N failed" and the exit code agrees with it. `npm test -- <args>` hands args to Vitest.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from './browser.mjs'
import { installPackages } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What is checked, in this order: the demo and its types read the built package, so the build comes early. */
const gates = {
  format: ['prettier --check --log-level warn .'],
  build: ['vite build --logLevel warn', 'tsc -p tsconfig.build.json'],
  types: ['tsc -p tsconfig.json'],
  lint: ['oxlint --type-aware --deny-warnings'],
  walls: ['node scripts/walls.mjs'],
  'dead code': ['knip'],
  'API reports': ['node scripts/api.mjs'],
  publint: ['publint --strict'],
  'types of the package': [
    'attw --pack . --profile esm-only --exclude-entrypoints styles.css --format table-flipped',
  ],
  sizes: ['size-limit'],
  demo: ['vite build -c vite.demo.config.ts --logLevel warn'],
  storybook: ['storybook build --quiet --disable-telemetry --loglevel warn'],
}

/** Arguments for Vitest, such as a path: with them, tests may be left out. */
const chosen = process.argv.slice(2)

let passed = 0
let failed = 0
/** @type {string[]} */
const failures = []

try {
  installPackages()
  process.stdout.write(`browser: ${await findBrowser({ install: true })}\n`)
} catch (error) {
  note('preparation', error instanceof Error ? error.message : String(error))
}
for (const [name, commands] of Object.entries(gates)) {
  if (commands.every((command) => run(command))) passed += 1
  else note(name, commands.join(' && '))
}
runVitest()

for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

/**
 * @param {string} name
 * @param {string} detail
 */
function note(name, detail) {
  failed += 1
  failures.push(`${name}: ${detail}`)
}

/**
 * Runs a command of the project, showing what it prints; true when it succeeded.
 *
 * @param {string} command words separated by one space
 * @param {string[]} [more] arguments that may hold spaces
 * @param {Record<string, string>} [env]
 */
function run(command, more = [], env = {}) {
  const start = performance.now()
  const [program = '', ...args] = [...command.split(' '), ...more]
  process.stdout.write(`\n$ ${[command, ...more].join(' ')}\n`)
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
      STORYBOOK_DISABLE_TELEMETRY: '1',
      ...env,
    },
  })
  if (error) process.stdout.write(`${error.message}\n`)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s\n`)
  return status === 0
}

function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'counts-'))
  const file = join(folder, 'counts.json')
  const reporters = '--reporter=default --reporter=./scripts/countsReporter.mjs'
  const succeeded = run(`vitest run ${reporters}`, chosen, { COUNTS_FILE: file })
  try {
    /** @type {{ passed: number, failed: number, skipped: number, silent: string[] }} */
    const counts = JSON.parse(readFileSync(file, 'utf8'))
    passed += counts.passed
    failed += counts.failed
    if (counts.failed > 0) failures.push(`tests: ${counts.failed}`)
    if (counts.skipped > 0) process.stdout.write(`${counts.skipped} tests were skipped\n`)
    if (counts.failed > 0) return
    if (counts.passed === 0) note('tests', 'none ran')
    else if (!succeeded) note('tests', 'vitest ended with an error')
    if (chosen.length > 0) return
    if (counts.skipped > 0) note('tests', 'some were skipped')
    if (counts.silent.length > 0) note('tests', `none in ${counts.silent.join(', ')}`)
  } catch {
    note('tests', 'vitest left no result')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
