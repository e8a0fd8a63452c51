// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { isMisleadingLink, linkDestination } from '../../src/policy/index.js'

describe('linkDestination', () => {
  it.each([
    ['https://example.com/a?b#c', 'example.com'],
    ['https://example.com:8443/', 'example.com:8443'],
    ['HTTPS://EXAMPLE.COM', 'example.com'],
    ['//evil.example/x', 'evil.example'],
    ['/\\evil.example/x', 'evil.example'],
    ['\\\\evil.example\\x', 'evil.example'],
    ['https:evil.example', 'evil.example'],
    ['ht\ntps://evil.example', 'evil.example'],
    ['https://good.example@evil.example/', 'evil.example'],
    ['https://good.example%40evil.example', ''],
    ['https://раураl.com/', 'xn--l-7sba6dbr.com'],
    ['mailto:someone@example.com?subject=x', 'someone@example.com'],
    ['tel:+1-234', '+1-234'],
    ['mailto:%E2%80%AEmoc.live@example.com', 'moc.live@example.com'],
    ['/local/path', ''],
    ['#part', ''],
    ['', ''],
    ['https://[', ''],
  ])('says that %j goes to %j', (href, destination) => {
    expect(linkDestination(href)).toBe(destination)
  })
})

describe('isMisleadingLink', () => {
  it.each([
    ['https://good.example', 'https://evil.example'],
    ['good.example', 'https://evil.example'],
    ['www.good.example/path', 'https://evil.example'],
    ['//good.example', 'https://evil.example'],
    ['https://good.example@evil.example', 'https://good.example'],
    ['good\u200B.example', 'https://evil.example'],
    ['https://evil.example', 'https://evil.example@other.example'],
    ['click', 'https://good.example@evil.example'],
    ['\u202Eelpmaxe.doog', 'https://evil.example'],
    ['раураl.com', 'https://paypal.com'],
  ])('warns when %j opens %j', (text, href) => {
    expect(isMisleadingLink(text, href)).toBe(true)
  })

  it.each([
    ['the docs', 'https://example.com'],
    ['https://example.com/a', 'https://example.com/b'],
    ['example.com', 'https://www.example.com'],
    ['EXAMPLE.com', 'https://example.com'],
    ['раураl.com', 'https://раураl.com'],
    ['v1.2', 'https://example.com'],
    ['e.g. this', 'https://example.com'],
    ['someone@example.com', 'mailto:someone@example.com'],
    ['good.example', '/local'],
    ['', 'https://example.com'],
  ])('does not warn when %j opens %j', (text, href) => {
    expect(isMisleadingLink(text, href)).toBe(false)
  })
})
