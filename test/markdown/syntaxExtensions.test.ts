import { describe, expect, it } from 'vitest'
import { treeExtensions } from '../../src/markdown/syntaxExtensions.js'

/** Gives a tree of one paragraph to what looks for addresses; tells what became of it, and how often the tree was read. */
function search(value: string): { types: string[]; reads: number } {
  let reads = 0
  const paragraph = { type: 'paragraph' as const, children: [{ type: 'text' as const, value }] }
  const root = {
    type: 'root' as const,
    get children() {
      reads += 1
      return [paragraph]
    },
  }
  for (const { transforms } of treeExtensions) {
    for (const transform of transforms ?? []) transform(root)
  }
  return { types: paragraph.children.map(({ type }) => type), reads }
}

describe('treeExtensions', () => {
  it.each(['a@b.example', 'www.b.example', 'HTTPS://b.example', 'mailto:a@b.example'])(
    'makes a link of %s',
    (address) => {
      expect(search(`see ${address}`).types).toEqual(['text', 'link'])
    },
  )

  it('reads a tree without addresses once', () => {
    expect(search('nothing to see').reads).toBe(1)
    expect(search('www.b.example').reads).toBeGreaterThan(1)
  })
})
