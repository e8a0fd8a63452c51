// The Python venv with the real AgentScope, in .live/venv: `test:live` and `test:oracle` use the same.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, StepError } from './steps.mjs'

/** Where runs against the real service keep what is worth keeping. */
export const liveDir = join(root, '.live')

const venv = join(liveDir, 'venv')
const requirements = join(root, 'test/live/requirements.txt')

/** The venv's own Python. */
export const venvPython = join(
  venv,
  process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python',
)

/** Makes the venv, or keeps the one whose packages were installed from the same list. */
export function prepareVenv() {
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
