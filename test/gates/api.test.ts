import { appendFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyForTest, type Copy } from './plant.js'

const gate = resolve('scripts/api.mjs')

function check(copy: Copy): Promise<{ code: number; output: string }> {
  return copy.run(process.execPath, gate, '--root', copy.folder)
}

describe('API reports', () => {
  it('stop a public name or member without a comment', async () => {
    const copy = copyForTest(['dist', 'docs/api', 'package.json'])
    appendFileSync(
      join(copy.folder, 'dist/entries/core.d.ts'),
      '/** Planted. */\nexport interface Planted {\n  member: 1\n}\nexport declare const bare: 1\n',
    )
    const { code, output } = await check(copy)
    expect(code).toBe(1)
    expect(output).toContain('(ae-undocumented) Missing documentation for "bare"')
    expect(output).toContain('(ae-undocumented) Missing documentation for "member"')
  })

  it('stop a change of the surface that the report does not tell', async () => {
    const copy = copyForTest(['dist', 'docs/api', 'package.json'])
    appendFileSync(
      join(copy.folder, 'dist/entries/core.d.ts'),
      '/** Planted. */\nexport declare const planted: 1\n',
    )
    const { code, output } = await check(copy)
    expect(code).toBe(1)
    expect(output).toContain('docs/api/core.api.md is stale')
    expect(output).not.toContain('docs/api/testing-server.api.md is stale')
  })

  it('stop a report without an entry point, and an entry point without a build', async () => {
    const copy = copyForTest(['dist', 'docs/api', 'package.json'])
    copy.plant({ 'docs/api/planted.api.md': '' })
    rmSync(join(copy.folder, 'dist/entries/core.d.ts'))
    const { code, output } = await check(copy)
    expect(code).toBe(1)
    expect(output).toContain('docs/api/planted.api.md belongs to no entry point')
    expect(output).toContain('core.d.ts is missing')
  })
})
