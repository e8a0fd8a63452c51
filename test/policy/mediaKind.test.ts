// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { mediaKind } from '../../src/policy/index.js'

describe('mediaKind', () => {
  it.each([
    ['image/png', 'image'],
    ['IMAGE/JPEG', 'image'],
    ['image/webp; q=1', 'image'],
    ['audio/pcm', 'file'],
    ['audio/wav; rate=24000', 'audio'],
    ['video/mp4', 'video'],
    ['image/svg+xml', 'file'],
    ['text/html', 'file'],
    ['application/pdf', 'file'],
    ['', 'file'],
    [undefined, 'file'],
    [null, 'file'],
  ] as const)('shows %j as %s', (mediaType, kind) => {
    expect(mediaKind(mediaType)).toBe(kind)
  })
})
