// What the scripts that run step by step share: a word to the person, a command, a failure that explains itself.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A step that failed in a way its message explains: no stack needed. */
export class StepError extends Error {}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`)
}

/**
 * What to tell a person of a failure: the message of one that explains itself, the stack of any other.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function explain(error) {
  if (error instanceof StepError || !(error instanceof Error)) return String(error)
  return error.stack ?? error.message
}

/**
 * Runs a command to its end, its output on ours.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} why What fails when it fails.
 */
export function run(command, args, why) {
  say(`$ ${command} ${args.join(' ')}`)
  const shell = process.platform === 'win32' && (command === 'npm' || command === 'mvn')
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell })
  if (status !== 0) {
    throw new StepError(`${why}: ${command} ended with ${error?.message ?? status}.`)
  }
}
