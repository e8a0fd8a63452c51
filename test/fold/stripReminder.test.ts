// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { stripReminder } from '../../src/fold/index.js'

describe('stripReminder', () => {
  it('takes the wrapper off', () => {
    expect(stripReminder('<system-reminder>The time is 12:00.</system-reminder>')).toEqual({
      text: 'The time is 12:00.',
      isReminder: true,
    })
  })

  it.each(['plain', '', 'a < b', '<b>bold</b>', '<'])('leaves %j as it is', (text) => {
    expect(stripReminder(text)).toEqual({ text, isReminder: false })
  })

  it('never shows a wrapper raw while it is still arriving', () => {
    const whole = '<system-reminder>denied by user!</system-reminder>'
    for (let length = 2; length <= whole.length; length += 1) {
      const { text, isReminder } = stripReminder(whole.slice(0, length))
      expect(isReminder).toBe(true)
      expect('denied by user!'.startsWith(text)).toBe(true)
    }
  })

  it('takes the wrapper off a notification, which is no reminder', () => {
    const text = "<system-notification>Tool 'a' is done.\n\nResult: 1\n</system-notification>"
    expect(stripReminder(text)).toEqual({
      text: "Tool 'a' is done.\n\nResult: 1\n",
      isReminder: false,
    })
    expect(stripReminder('see <system-notification> there').text).toBe(
      'see <system-notification> there',
    )
  })

  it('takes off several wrappers and keeps what stands around them', () => {
    expect(stripReminder('before <system-reminder>one</system-reminder> after').text).toBe(
      'before one after',
    )
  })
})
