// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

// The examples of docs/testing.md are the files in examples/, which run as tests: here only that they are the same.

const FOLDER = 'test/testing/examples'
const files = readdirSync(FOLDER)
const blocks = [...readFileSync('docs/testing.md', 'utf8').matchAll(/```tsx?\n([\s\S]*?)```/g)].map(
  ([, code = '']) => essence(code),
)

/** Where an example stands decides how it names the package, and so how long its lines are. */
function essence(code: string): string {
  return code
    .replaceAll("'../../../src/entries/index.js'", "'agentscope-react'")
    .replaceAll("'../../../src/entries/testing-server.js'", "'agentscope-react/testing/server'")
    .replaceAll(/'[.][.]\/[.][.]\/[.][.]\/src\/entries\/([\w-]+)[.]js'/g, "'agentscope-react/$1'")
    .replaceAll(/\s+/g, '')
    .replaceAll(',}', '}')
}

describe('docs/testing.md', () => {
  it('has examples', () => {
    expect(files.length).toBeGreaterThan(3)
    expect(blocks).toHaveLength(files.length)
  })

  it.each(files)('shows %s as it is', (file) => {
    expect(blocks).toContain(essence(readFileSync(`${FOLDER}/${file}`, 'utf8')))
  })
})
