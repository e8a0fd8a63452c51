// @vitest-environment node
import { describe, expect, it } from 'vitest'
import {
  AssistantMsg,
  createId,
  createTimestamp,
  getContentBlocks,
  getFirstContentBlock,
  getTextContent,
  hasContentBlocks,
  parseMessages,
  SystemMsg,
  UserMsg,
} from '../../src/protocol/index.js'

describe('UserMsg', () => {
  it('makes a message of a text, whole and ready to be sent', () => {
    const msg = UserMsg({
      name: 'user',
      content: 'Hello',
      id: 'm1',
      created_at: '2026-11-30T12:00:00Z',
    })
    expect(msg).toEqual({
      id: 'm1',
      name: 'user',
      role: 'user',
      content: [{ type: 'text', id: expect.stringMatching(/^[0-9a-f]{32}$/), text: 'Hello' }],
      metadata: {},
      created_at: '2026-11-30T12:00:00Z',
      usage: null,
      finished_at: '2026-11-30T12:00:00Z',
      finished_reason: null,
      structured_output: null,
      error: null,
    })
    expect(parseMessages([msg]).messages).toEqual([msg])
  })

  it('works with new, and gives plain data', () => {
    const msg = new UserMsg({ name: 'user', content: 'Hello' })
    expect(Object.getPrototypeOf(msg)).toBe(Object.prototype)
    expect(msg.content).toMatchObject([{ text: 'Hello' }])
  })

  it('makes up a different id for each message and block', () => {
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'text', id: 'mine', text: 'b' },
    ] as const
    const [one, two] = [
      UserMsg({ name: 'u', content: blocks }),
      UserMsg({ name: 'u', content: blocks }),
    ]
    expect(one.id).not.toBe(two.id)
    expect(one.content[0]?.id).not.toBe(two.content[0]?.id)
    expect(one.content[1]?.id).toBe('mine')
  })

  it('refuses a block that a user may not send, and says which', () => {
    const thinking = { type: 'thinking', thinking: 'x' } as never
    expect(() => UserMsg({ name: 'user', content: [thinking] })).toThrow(/user message .* thinking/)
  })
})

describe('SystemMsg', () => {
  it('takes text alone', () => {
    expect(SystemMsg({ name: 'system', content: 'x' }).role).toBe('system')
    const data = {
      type: 'data',
      name: null,
      source: { type: 'url', url: 'a', media_type: 'x/y' },
    } as never
    expect(() => SystemMsg({ name: 'system', content: [data] })).toThrow(TypeError)
  })
})

describe('AssistantMsg', () => {
  it('takes any block, and is not finished', () => {
    const msg = AssistantMsg({
      name: 'bot',
      content: [{ type: 'thinking', thinking: 'x' }],
      usage: null,
    })
    expect(msg).toMatchObject({ role: 'assistant', finished_at: null })
  })
})

describe('the accessors', () => {
  const msg = AssistantMsg({
    name: 'bot',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
  })
  const empty = AssistantMsg({ name: 'bot', content: [] })

  it('give the text of a message, or null when it has none', () => {
    expect(getTextContent(msg)).toBe('one\ntwo')
    expect(getTextContent(msg, '')).toBe('onetwo')
    expect(getTextContent(empty)).toBeNull()
  })

  it('give blocks, all or of one kind', () => {
    expect(getContentBlocks(msg)).toBe(msg.content)
    expect(getContentBlocks(msg, 'text').map(({ text }) => text)).toEqual(['one', 'two'])
    expect(getFirstContentBlock(msg, 'text')?.text).toBe('one')
    expect(getFirstContentBlock(msg, 'hint')).toBeUndefined()
    expect([
      hasContentBlocks(msg),
      hasContentBlocks(msg, 'thinking'),
      hasContentBlocks(msg, 'data'),
    ]).toEqual([true, true, false])
    expect(hasContentBlocks(empty)).toBe(false)
  })
})

describe('createId', () => {
  it('gives 32 hexadecimal digits, different each time', () => {
    const ids = Array.from({ length: 1000 }, createId)
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(1000)
  })
})

describe('createTimestamp', () => {
  it('gives the time now in UTC', () => {
    const before = Date.now()
    const stamp = createTimestamp()
    expect(stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(stamp)).toBeGreaterThanOrEqual(before)
  })
})
