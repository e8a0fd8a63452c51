import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOf, type Copy } from './plant.js'

const vitest = resolve('node_modules/.bin/vitest')
const reporter = `--reporter=${resolve('scripts/countsReporter.mjs')}`
const imports = "import { beforeAll, describe, expect, it } from 'vitest'\n"

/** What a file of tests holds, and how it must be counted. */
const files = {
  good: {
    code: `${imports}it('a', () => expect(1).toBe(1))\nit('b', () => expect(1).toBe(1))`,
    counts: { passed: 2, failed: 0, skipped: 0 },
  },
  bad: {
    code: `${imports}it('a', () => expect(1).toBe(1))\nit('b', () => expect(1).toBe(2))`,
    counts: { passed: 1, failed: 1, skipped: 0 },
  },
  throwsAtImport: {
    code: "throw new Error('planted')",
    counts: { passed: 0, failed: 1, skipped: 0 },
  },
  throwsInHook: {
    code: `${imports}describe('d', () => {\n  beforeAll(() => {\n    throw new Error('planted')\n  })\n  it('a', () => {})\n})`,
    counts: { passed: 0, failed: 1, skipped: 1 },
  },
  rejectsUnheard: {
    code: `${imports}it('a', () => {\n  Promise.reject(new Error('planted'))\n})`,
    counts: { passed: 1, failed: 1, skipped: 0 },
  },
  skips: {
    code: `${imports}it('a', () => {})\nit('b', (context) => context.skip())`,
    counts: { passed: 1, failed: 0, skipped: 1 },
  },
}

describe('CountsReporter', () => {
  let copy: Copy
  beforeAll(() => {
    copy = copyOf([])
    copy.plant({ 'vitest.config.mjs': 'export default { test: {} }\n' })
    for (const [name, { code }] of Object.entries(files)) {
      copy.plant({ [`${name}.test.mjs`]: `${code}\n` })
    }
  })
  afterAll(() => copy.remove())

  it.each(Object.entries(files))('counts a file that is %s', async (name, { counts }) => {
    const file = join(copy.folder, `${name}.json`)
    const args = ['run', reporter, `${name}.test.mjs`]
    const { code } = await copy.run('env', `COUNTS_FILE=${file}`, vitest, ...args)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(counts)
    expect(code === 0).toBe(counts.failed === 0)
  })

  it('names projects in which no test ran', async () => {
    const projects = ['good', 'nowhere'].map((name) => ({
      test: { name, include: [`${name}.test.mjs`] },
    }))
    const config = `export default ${JSON.stringify({ test: { projects } })}\n`
    copy.plant({ 'projects.config.mjs': config })
    const file = join(copy.folder, 'projects.json')
    const args = ['run', reporter, '--config=projects.config.mjs']
    await copy.run('env', `COUNTS_FILE=${file}`, vitest, ...args)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: 2, silent: ['nowhere'] })
  })
})
