// Which Chromium the tests drive. Tried in turn: $CHROMIUM_PATH; an installed Chromium or Chrome; the one
// Playwright downloads; the one an earlier run unpacked. With `install: true` also, one after the other:
// the distribution's package (root on Debian or Ubuntu) and @sparticuz/chromium from the npm registry
// (Linux x64, no root needed). Run by hand, `node scripts/browser.mjs --install` prints the path.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Launch flags that work as root and on a machine without a network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-sync',
  '--disable-component-update',
  '--disable-background-networking',
]

// 147 is the last release that runs on Node 20.
const PORTABLE_CHROMIUM = '@sparticuz/chromium@147.0.0'
const portableDir = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url))

/**
 * The path of a Chromium that can be started.
 *
 * @param {{ install?: boolean }} [options] `install` allows fetching one when none is found.
 * @returns {Promise<string>}
 * @throws Error that names the ways out, when there is none.
 */
export async function findBrowser({ install = false } = {}) {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`CHROMIUM_PATH is set to ${named}, which is not an executable file.`)
  }
  const present = installedChromium() ?? (await playwrightChromium()) ?? portableChromium()
  const found = present ?? (install ? (installFromApt() ?? installFromNpm()) : undefined)
  if (found) return found
  throw new Error(
    'No Chromium found. Install Chromium or Chrome, or set CHROMIUM_PATH, or run: node scripts/browser.mjs --install',
  )
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installedChromium() {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].flatMap(
    (name) => folders.map((folder) => join(folder, name)),
  )
  const elsewhere = [
    '/usr/bin/chromium',
    '/opt/google/chrome/chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return [...onPath, ...elsewhere].find((path) => isExecutable(path))
}

async function playwrightChromium() {
  try {
    const { chromium } = await import('playwright')
    const path = chromium.executablePath()
    return isExecutable(path) ? path : undefined
  } catch {
    return undefined
  }
}

function portableChromium() {
  const path = join(portableDir, 'chromium')
  if (!isExecutable(path)) return undefined
  // It brings its own nss and nspr; whoever starts it must be able to load them.
  const libraries = join(portableDir, 'al2023/lib')
  const known = (process.env['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter(Boolean)
  if (!known.includes(libraries)) {
    process.env['LD_LIBRARY_PATH'] = [libraries, ...known].join(delimiter)
  }
  return path
}

function installFromApt() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const apt = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const done =
    succeeds('apt-get', [...apt, 'update'], { env }) &&
    succeeds('apt-get', [...apt, 'install', '-y', '--no-install-recommends', 'chromium'], { env })
  return done ? installedChromium() : undefined
}

function installFromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  mkdirSync(portableDir, { recursive: true })
  const npm = ['install', '--prefix', portableDir, '--no-save', '--no-package-lock']
  // The package unpacks into TMPDIR, and its libraries only where it believes itself on AWS Lambda.
  const unpack =
    "import chromium from '@sparticuz/chromium'; chromium.setGraphicsMode = false; await chromium.executablePath()"
  const done =
    succeeds('npm', [...npm, '--ignore-scripts', PORTABLE_CHROMIUM]) &&
    succeeds(process.execPath, ['--input-type=module', '-e', unpack], {
      cwd: portableDir,
      env: { TMPDIR: portableDir, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
    })
  return done ? portableChromium() : undefined
}

/**
 * Runs a command, with its output on stderr so that stdout stays ours.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
function succeeds(command, args, { cwd, env } = {}) {
  process.stderr.write(`$ ${command} ${args.join(' ')}\n`)
  const { status } = spawnSync(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  })
  return status === 0
}

const [, script] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  try {
    const path = await findBrowser({ install: process.argv.includes('--install') })
    process.stdout.write(`${path}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
