// Proves the dialect against the real AgentScope Java: `npm run test:live:java`.
// Builds test/live-java with Maven, starts its two programs on free loopback ports and runs test/live-java/*.live.test.ts.
// `-- --record DIR` also writes what was posted and received, a file per scenario; `-- --agentscope VERSION` takes another
// version of agentscope-core. Nothing here is skipped: a machine without a JDK or Maven, or a program that does not start, fails.
import { installPackages } from './install.mjs'
import { buildPrograms, startProgram } from './javaPrograms.mjs'
import { finish, readRecordFolder, runTests } from './liveTests.mjs'
import { stopService } from './service.mjs'
import { say, StepError } from './steps.mjs'

/** @param {string[]} args */
function readVersion(args) {
  const at = args.indexOf('--agentscope')
  if (at < 0) return undefined
  const version = args[at + 1]
  if (version === undefined) throw new StepError('--agentscope needs a version, such as 2.0.4.')
  return version
}

async function main() {
  const args = process.argv.slice(2)
  const record = readRecordFolder(args, 'test:live:java')
  installPackages()
  buildPrograms(readVersion(args))
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  const onSignal = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  /** @type {import('./javaPrograms.mjs').Program[]} */
  const programs = []
  try {
    for (const [module, mainClass] of /** @type {const} */ ([
      ['agent', 'live.Main'],
      ['spring', 'live.spring.ChatApplication'],
    ])) {
      const program = await startProgram(module, mainClass)
      programs.push(program)
      children.push(program.child)
    }
    const [agent, spring] = programs
    const env = {
      AGENTSCOPE_JAVA_URL: agent?.url ?? '',
      AGENTSCOPE_SPRING_URL: spring?.url ?? '',
      AGENTSCOPE_JAVA_VERSION: agent?.version ?? '',
      ...(record === undefined ? {} : { AGENTSCOPE_JAVA_RECORD: record }),
    }
    const outcome = await runTests('test/live-java/vitest.config.ts', env, (child) => {
      children.push(child)
    })
    if (outcome.failed > 0) {
      for (const { log } of programs) say(`A program's log ends with:\n${log().slice(-4000)}`)
    }
    return outcome
  } finally {
    for (const program of programs) await stopService(program)
  }
}

await finish(main)
