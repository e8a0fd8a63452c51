import { describe, expect, it } from 'vitest'
import { bytesOfBase64, formatBytes } from '../../src/components/data-block-view/formatBytes.js'
import { readImageSize } from '../../src/components/data-block-view/readImageSize.js'
import { durationBetween, hasZone } from '../../src/components/time/durationBetween.js'
import { isFaithful } from '../../src/components/tool-call-card/isFaithful.js'
import { stripAnsi } from '../../src/components/tool-call-card/stripAnsi.js'
import { picture } from '../../stories/fixtures/picture.js'

describe('durationBetween', () => {
  it.each([
    ['2026-03-29T01:30:00', '2026-03-29T03:30:00', 7_200_000],
    ['2026-03-02T09:00:00.250', '2026-03-02T09:00:01', 750],
    ['2026-03-02T09:00:00Z', '2026-03-02T10:00:02+01:00', 2000],
    ['2026-03-02T09:00:00', '2026-03-02T09:00:02Z', null],
    ['2026-03-02T09:00:00', '2026-03-02T09:00:00.499', null],
    ['2026-03-02T09:00:00', '2026-03-02T09:00:00.5', 500],
    [null, '2026-03-02T09:00:00', null],
    ['2026-03-02T09:00:01', '2026-03-02T09:00:00', null],
    ['yesterday', 'today', null],
  ])('from %j to %j is %j ms', (from, to, ms) => {
    expect(durationBetween(from, to)).toBe(ms)
  })

  it.each([
    ['2026-03-02T09:00:00', false],
    ['2026-03-02T09:00:00Z', true],
    ['2026-03-02T09:00:00+01:00', true],
    ['2026-03-02', false],
  ])('knows whether %j names its zone', (stamp, has) => {
    expect(hasZone(stamp)).toBe(has)
  })
})

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1_250_000, '1.3 MB'],
    [5e13, '50,000 GB'],
  ])('writes %d as %s', (bytes, written) => {
    expect(formatBytes(bytes, 'en')).toBe(written)
  })

  it.each([
    ['', 0],
    ['AA==', 1],
    ['AAA=', 2],
    ['AAAA', 3],
    ['AA', 1],
  ])('counts the bytes of %j', (base64, bytes) => {
    expect(bytesOfBase64(base64)).toBe(bytes)
  })
})

describe('readImageSize', () => {
  it('reads a PNG', () => {
    expect(readImageSize(picture)).toEqual({ width: 360, height: 220 })
  })

  it('reads a GIF, and scales what is too large', () => {
    const gif = `GIF89a${String.fromCharCode(0, 8, 0, 4)}${'\0'.repeat(20)}`
    expect(readImageSize(btoa(gif))).toEqual({ width: 384, height: 192 })
  })

  it('reads a JPEG behind its other segments', () => {
    const app = `\u00ff\u00e0\0\u0010${'\0'.repeat(14)}`
    const frame = `\u00ff\u00c0\0\u0011\u0008\0\u0064\0\u00c8${'\0'.repeat(20)}`
    expect(readImageSize(btoa(`\u00ff\u00d8${app}${frame}`))).toEqual({ width: 200, height: 100 })
  })

  it.each([
    '',
    'AAAA',
    'not base64!',
    btoa('RIFF----WEBPVP8 '.repeat(3)),
    btoa(`\u00ff\u00d8${'\u00ff'.repeat(30)}`),
  ])('knows no size of %j', (base64) => {
    expect(readImageSize(base64)).toBeNull()
  })
})

describe('isFaithful', () => {
  it.each([
    ['{"a":1}', true],
    ['{"a":[1,2.5,-3],"b":{"c":null}}', true],
    ['{"a":"1.0 and 12345678901234567890"}', true],
    [String.raw`{"a":"\u4f60 \"quoted\": x"}`, true],
    ['{"a":1.0}', false],
    ['{"a":12345678901234567890}', false],
    ['{"a":1e2}', false],
    ['{"a":1,"a":2}', false],
    ['{"a":{"b":1,"b":1}}', false],
  ])('tells of %s: %j', (raw, faithful) => {
    expect(isFaithful(raw, JSON.parse(raw))).toBe(faithful)
  })
})

describe('stripAnsi', () => {
  it.each([
    ['plain', 'plain'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b[38;5;196mred\u001b[39m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;https://x.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\u001b[2Kb\u001b[1A', 'ab'],
    ['[31m without escape', '[31m without escape'],
  ])('of %j is %j', (raw, plain) => {
    expect(stripAnsi(raw)).toBe(plain)
  })
})
