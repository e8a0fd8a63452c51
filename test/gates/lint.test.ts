import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOf, type Copy } from './plant.js'

const oxlint = resolve('node_modules/.bin/oxlint')

/** What must be found, and the code that commits it. */
const violations = [
  ['no-restricted-globals', 'src/fold/planted1.ts', 'export const a: number = Date.now()'],
  [
    'no-restricted-globals',
    'src/protocol/planted2.ts',
    'export const a: string = crypto.randomUUID()',
  ],
  ['no-restricted-globals', 'src/fold/planted3.ts', 'export const a: unknown = globalThis'],
  ['no-restricted-properties', 'src/fold/planted4.ts', 'export const a: number = Math.random()'],
  [
    'no-restricted-imports',
    'src/fold/planted5.ts',
    "export { UserMsg } from '../protocol/index.js'",
  ],
  [
    'no-restricted-imports',
    'src/fold/planted6.ts',
    "export { createId } from '../protocol/index.js'",
  ],
  [
    'no-restricted-imports',
    'src/fold/planted7.ts',
    "export { createId } from '../protocol/stamp.js'",
  ],
  [
    'switch-exhaustiveness-check',
    'src/store/planted8.ts',
    "export function f(a: 'x' | 'y'): number {\n  switch (a) {\n    case 'x':\n      return 1\n  }\n  return 2\n}",
  ],
  [
    'no-floating-promises',
    'src/store/planted9.ts',
    'async function f(): Promise<void> {}\nexport function g(): void {\n  f()\n}',
  ],
  ['no-explicit-any', 'src/store/planted10.ts', 'export let a: any'],
  ['no-non-null-assertion', 'src/store/planted11.ts', "export const a = 'x'.at(0)!"],
  [
    'consistent-type-imports',
    'src/store/planted12.ts',
    "import { Msg } from '../protocol/index.js'\nexport let a: Msg",
  ],
  ['consistent-type-definitions', 'src/store/planted13.ts', 'export type A = { b: 1 }'],
  [
    'explicit-module-boundary-types',
    'src/store/planted14.ts',
    'export function f() {\n  return 1\n}',
  ],
  ['no-cycle', 'src/store/planted15.ts', "export { a } from './planted16.js'"],
  ['no-cycle', 'src/store/planted16.ts', "import './planted15.js'\nexport const a = 1"],
  ['no-default-export', 'src/store/planted17.ts', 'export default 1'],
  ['no-console', 'src/store/planted18.ts', "console.log('x')\nexport {}"],
  ['max-lines', 'src/store/planted19.ts', 'export {}\n'.repeat(301)],
  [
    'rules-of-hooks',
    'src/hooks/usePlanted20.ts',
    "import { useState } from 'react'\nexport function usePlanted20(a: boolean): void {\n  if (a) useState(1)\n}",
  ],
  [
    'exhaustive-deps',
    'src/hooks/usePlanted21.ts',
    "import { useEffect } from 'react'\nexport function usePlanted21(a: { b(): void }): void {\n  useEffect(() => a.b(), [])\n}",
  ],
  ['alt-text', 'src/components/Planted22.tsx', 'export const a = <img src="x" />'],
  [
    'no-focused-tests',
    'test/planted23.test.ts',
    "import { it } from 'vitest'\nit.only('x', () => {})",
  ],
  [
    'no-disabled-tests',
    'test/planted24.test.ts',
    "import { it } from 'vitest'\nit.skip('x', () => {})",
  ],
] as const

describe('lint', () => {
  let copy: Copy
  let code = 0
  let found: readonly string[] = []

  beforeAll(async () => {
    copy = copyOf(['.oxlintrc.json', 'tsconfig.json', 'package.json', 'src/protocol'])
    for (const [, path, text] of violations) copy.plant({ [path]: `${text}\n` })
    const result = await copy.run(oxlint, '--type-aware', '--deny-warnings', '-f', 'unix')
    code = result.code
    found = result.output.split('\n')
  })
  afterAll(() => copy.remove())

  it.each(violations)('%s stops %s', (rule, path) => {
    expect(found.filter((line) => line.startsWith(`${path}:`)).join('\n')).toContain(`(${rule})`)
  })

  it('ends with an error then', () => {
    expect(code).toBe(1)
  })

  it('lets only stamp.ts take the time and make up ids', () => {
    expect(found.filter((line) => line.startsWith('src/protocol/stamp.ts'))).toEqual([])
  })

  it('is switched off nowhere', () => {
    const mark = /(oxlint|eslint)-disable|@ts-(ignore|nocheck)/
    const folders = ['src', 'test', 'stories', 'demo', 'scripts', '.storybook']
    const marked = folders
      .flatMap((folder) => sourcesIn(folder))
      .filter((path) => mark.test(readFileSync(path, 'utf8')))
    expect(marked).toEqual([])
  })
})

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[.](tsx?|mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
}
