import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyForTest, copyOf, type Copy } from './plant.js'

const gate = resolve('scripts/walls.mjs')
const planted = 'export const planted = 1\n'

/** What must be found, and the file that commits it. */
const violations = [
  {
    rule: 'fold-imports-rooms',
    files: { 'src/fold/planted1.ts': "export { planted } from '../transports/index.js'\n" },
  },
  {
    rule: 'protocol-imports-rooms',
    files: { 'src/protocol/planted2.ts': "import type { a } from '../fold/index.js'\nlet b: a\n" },
  },
  {
    rule: 'protocol-imports-packages',
    files: {
      'src/protocol/planted3.ts': "import type { ReactNode } from 'react'\nlet a: ReactNode\n",
    },
  },
  {
    rule: 'store-imports-packages',
    files: { 'src/store/planted4.ts': "export { create as planted } from 'zustand'\n" },
  },
  {
    rule: 'hooks-imports-rooms',
    files: { 'src/hooks/planted5.ts': "export { planted } from '../components/index.js'\n" },
  },
  {
    rule: 'components-imports-rooms',
    files: { 'src/components/planted6.ts': "export { planted } from '../store/index.js'\n" },
  },
  {
    rule: 'through-the-door',
    files: { 'src/fold/planted7.ts': "export { EventType } from '../protocol/EventType.js'\n" },
  },
  {
    rule: 'browser-code',
    files: { 'src/transports/planted8.ts': "export { readFileSync } from 'node:fs'\n" },
  },
  {
    rule: 'no-cycles',
    files: {
      'src/policy/planted9.ts':
        "import type { A } from './planted10.js'\nexport interface B { a: A }\n",
      'src/policy/planted10.ts':
        "import type { B } from './planted9.js'\nexport interface A { b: B }\n",
    },
  },
  {
    rule: 'telling-names',
    files: {
      'src/i18n/planted11.ts': "export { planted } from './utils.js'\n",
      'src/i18n/utils.ts': planted,
    },
  },
  {
    rule: 'known-rooms',
    files: { 'src/attic/planted12.ts': "export { EventType } from '../protocol/index.js'\n" },
  },
  {
    rule: 'entries-import-doors',
    files: { 'src/entries/planted13.ts': "export { EventType } from '../protocol/EventType.js'\n" },
  },
  {
    rule: 'entries-are-the-end',
    files: { 'src/hooks/planted14.ts': "export { planted } from '../entries/planted13.js'\n" },
  },
  {
    rule: 'inside-the-house',
    files: { 'src/policy/planted15.ts': "export { planted } from '../../stories/planted16.js'\n" },
  },
  {
    rule: 'stories-use-doors',
    files: { 'stories/planted16.ts': "export { EventType } from '../src/protocol/EventType.js'\n" },
  },
  {
    rule: 'demo-is-an-app',
    files: { 'demo/planted17.ts': "export { EventType } from '../src/protocol/index.js'\n" },
  },
  {
    rule: 'server-behind-its-door',
    files: {
      'src/testing/planted18.ts': "export { planted } from './server/planted19.js'\n",
      'src/testing/server/planted19.ts': planted,
    },
  },
  {
    rule: 'css-has-its-own-entry',
    files: {
      'src/components/planted20.ts': "import './planted.css'\n",
      'src/components/planted.css': '',
    },
  },
  { rule: 'no-orphans', files: { 'src/policy/planted21.ts': planted } },
  {
    rule: 'door-lists-names',
    files: { 'src/planted22/index.ts': "export * from '../protocol/index.js'\n" },
  },
  { rule: 'use-client', files: { 'src/components/Planted23.tsx': planted } },
  {
    rule: 'use-client',
    files: { 'src/hooks/planted25.ts': "export { createContext as planted } from 'react'\n" },
  },
  { rule: 'use-client', files: { 'src/store/planted24.ts': `'use client'\n${planted}` } },
]

const cases = violations.map(({ rule, files }) => ({ rule, file: Object.keys(files).join() }))

describe('walls', () => {
  let copy: Copy
  let result: { code: number; output: string }

  beforeAll(async () => {
    copy = copyOf(['src', 'package.json', 'tsconfig.json'])
    for (const room of ['transports', 'components', 'store']) {
      copy.plant({ [`src/${room}/index.ts`]: "export { planted } from './planted.js'\n" })
    }
    for (const { files } of violations) copy.plant(files)
    result = await copy.run(process.execPath, gate, copy.folder)
  })
  afterAll(() => copy.remove())

  it.each(cases)('$rule stops $file', ({ rule, file }) => {
    const [first = ''] = file.split(',')
    const found = result.output.split('\n').filter((line) => line.includes(first))
    expect(found).toContainEqual(expect.stringMatching(`^${rule}: `))
  })

  it('end with an error then', () => {
    expect(result.code).toBe(1)
  })

  it('fail when there is nothing to look at', async () => {
    const empty = copyForTest(['package.json', 'tsconfig.json'])
    empty.plant({ 'src/readme.md': '' })
    expect(await empty.run(process.execPath, gate, empty.folder)).toEqual({
      code: 1,
      output: expect.stringContaining('No module was looked at'),
    })
  })
})
