// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { createUrlPolicy, defaultUrlPolicy } from '../../src/policy/index.js'

describe('defaultUrlPolicy', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' \u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\r\nscript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    'java&#x0A;script&#x3a;alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/png;base64,AAAA',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'filesystem:https://a/b',
    'about:blank',
    'view-source:https://a',
    'intent://x#Intent;end',
    'C:\\path\\file',
    'https://[',
    'https://a b',
  ])('shows the link %j as text', (href) => {
    expect(defaultUrlPolicy.link(href)).toEqual({ verdict: 'block' })
  })

  it.each([
    ['https://example.com/a', true, 'example.com'],
    ['http://example.com', true, 'example.com'],
    ['//example.com', true, 'example.com'],
    ['/\\example.com', true, 'example.com'],
    ['mailto:a@example.com', true, 'a@example.com'],
    ['tel:123', true, '123'],
    ['/a/b', false, ''],
    ['?a=1&b=2', false, ''],
    ['#a', false, ''],
    ['a&b', false, ''],
  ])('opens the link %j (external: %j, to %j)', (href, isExternal, destination) => {
    expect(defaultUrlPolicy.link(href)).toEqual({ verdict: 'allow', isExternal, destination })
  })

  it.each([
    ['https://example.com/a.png', 'example.com'],
    ['http://example.com/a.png', 'example.com'],
    ['//example.com:81/a.png', 'example.com:81'],
    ['https://good.example@evil.example/a.png', 'evil.example'],
    ['/a.png', ''],
  ])('asks before it loads %j from %j', (src, host) => {
    expect(defaultUrlPolicy.media(src, 'image')).toEqual({ verdict: 'ask', host })
  })

  it.each([
    ['data:image/png;base64,AAAA', 'image'],
    ['DATA:image/PNG;base64,AAAA', 'image'],
    ['data:audio/wav;base64,AAAA', 'audio'],
    ['data:video/mp4;base64,AAAA', 'video'],
  ] as const)('loads %j as %s, since it needs no request', (src, kind) => {
    expect(defaultUrlPolicy.media(src, kind)).toEqual({ verdict: 'allow' })
  })

  it.each([
    ['data:image/svg+xml,<svg/>', 'image'],
    ['data:text/html,x', 'image'],
    ['data:,x', 'image'],
    ['data:image/png;base64,AA', 'audio'],
    ['data:application/pdf;base64,AA', 'file'],
    ['blob:https://example.com/1', 'image'],
    ['javascript:alert(1)', 'image'],
    ['ftp://example.com/a.png', 'image'],
    ['', 'image'],
    ['  ', 'image'],
  ] as const)('never loads %j as %s', (src, kind) => {
    expect(defaultUrlPolicy.media(src, kind)).toEqual({ verdict: 'block' })
  })
})

describe('createUrlPolicy', () => {
  it('loads media from the hosts an app names, over https and without credentials only', () => {
    const policy = createUrlPolicy({ mediaHosts: ['cdn.example', '*.img.example'] })
    const verdict = (src: string): string => policy.media(src, 'image').verdict
    expect(verdict('https://cdn.example/a.png')).toBe('allow')
    expect(verdict('https://a.img.example/a.png')).toBe('allow')
    expect(verdict('http://cdn.example/a.png')).toBe('ask')
    expect(verdict('https://img.example/a.png')).toBe('ask')
    expect(verdict('https://evilimg.example/a.png')).toBe('ask')
    expect(verdict('https://cdn.example:444/a.png')).toBe('ask')
    expect(verdict('https://cdn.example@evil.example/a.png')).toBe('ask')
    expect(verdict('https://x@cdn.example/a.png')).toBe('ask')
  })

  it('loads the own media of an app that says so', () => {
    expect(createUrlPolicy({ ownMedia: true }).media('/a.png', 'image').verdict).toBe('allow')
  })

  it('loads blobs that the app recognises as its own', () => {
    const policy = createUrlPolicy({ isOwnBlob: (url) => url.endsWith('/mine') })
    expect(policy.media('blob:https://a/mine', 'image').verdict).toBe('allow')
    expect(policy.media('blob:https://a/other', 'image').verdict).toBe('block')
  })

  it('opens further schemes, but no script whatever the app says', () => {
    const policy = createUrlPolicy({ linkSchemes: ['vscode', 'JavaScript:'] })
    expect(policy.link('vscode://file/a').verdict).toBe('allow')
    expect(policy.link('javascript:alert(1)').verdict).toBe('block')
  })
})
