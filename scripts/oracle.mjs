// Compares our fold with AgentScope's own `Msg.append_event` on random streams: `npm run test:oracle`.
// `-- --seed N --runs N` gives the same streams again; `-- --write` also renews the sample in test/vectors.
// Nothing here is skipped: a machine without Python, or a Python process that does not start, fails.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'
import { installPackages } from './install.mjs'
import { explain, root, say, StepError } from './steps.mjs'
import { prepareVenv, venvPython } from './venv.mjs'

const RUNS = 5000

/**
 * @param {string | undefined} text
 * @param {string} name
 * @param {number} fallback
 */
function readNumber(text, name, fallback) {
  if (text === undefined) return fallback
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new StepError(`--${name} needs a whole number.`)
  return number
}

async function main() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, runs: { type: 'string' }, write: { type: 'boolean' } },
  })
  installPackages()
  prepareVenv()
  process.chdir(root)
  // The fold and the streams are TypeScript: Vite reads them as the tests do.
  /** @type {{ module: typeof import('../test/oracle/runOracle.js') }} */
  const { module } = await runnerImport(join(root, 'test/oracle/runOracle.ts'), {
    configFile: false,
  })
  return module.runOracle({
    python: venvPython,
    seed: readNumber(values.seed, 'seed', Date.now() % 2 ** 31),
    runs: readNumber(values.runs, 'runs', RUNS),
    sample: values.write ? 'test/vectors/oracle.json' : undefined,
    say,
  })
}

let isEqual = false
try {
  isEqual = await main()
} catch (error) {
  say(explain(error))
}
say(isEqual ? 'passed: both folds agree' : 'FAILED')
process.exitCode = isEqual ? 0 : 1
