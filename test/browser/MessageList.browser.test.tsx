import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AgentChat } from '../../src/components/index.js'
import type { Msg } from '../../src/protocol/index.js'
import { reply, text, userMsg } from '../../stories/fixtures/blocks.js'
import { openText, replyStart, textDelta } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import type { StillBackend } from '../../stories/fixtures/stillBackend.js'
import { frames, inScreen, seen } from './inScreen.js'

const paragraph = 'A line of text that fills about one row of the list.\n\n'

/** So many turns, each with an answer of a few lines. */
function turns(count: number, from = 0): readonly Msg[] {
  return Array.from({ length: count }, (_turn, index) => [
    userMsg(`Question ${String(from + index)}`, { id: `user-${String(from + index)}` }),
    reply([text(paragraph.repeat(4))], { id: `reply-${String(from + index)}` }),
  ]).flat()
}

interface Shown {
  readonly log: HTMLElement
  readonly backend: StillBackend
  readonly box: HTMLElement
}

async function show(messages: readonly Msg[], pageSize?: number): Promise<Shown> {
  const backend = stillBackend({
    messages,
    isRunning: true,
    inputs: [replyStart('now'), ...openText('Here it is.\n\n', 'now')],
    ...(pageSize === undefined ? {} : { pageSize }),
  })
  const { container } = inScreen(<AgentChat backend={backend} />)
  const log = await screen.findByRole('log')
  await seen('Here it is.')
  await frames(6)
  return { log, backend, box: container }
}

async function stream(backend: StillBackend, lines: number): Promise<void> {
  for (let line = 0; line < lines; line += 1) {
    backend.say(textDelta(paragraph, 'now'))
    await frames(2)
  }
}

function fromEnd(log: HTMLElement): number {
  return log.scrollHeight - log.scrollTop - log.clientHeight
}

function jump(): HTMLElement | null {
  return screen.queryByRole('button', { name: 'Jump to latest' })
}

/** A turn of the wheel over the list, as the browser does it. */
async function wheel(log: HTMLElement, deltaY: number): Promise<void> {
  log.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }))
  log.scrollBy({ top: deltaY, behavior: 'instant' })
  await frames(3)
}

afterEach(() => {
  document.getSelection()?.removeAllRanges()
})

describe('<MessageList> in a browser', () => {
  it('starts at the end, and follows it while text streams', async () => {
    const { log, backend } = await show(turns(8))
    expect(fromEnd(log)).toBeLessThan(2)
    await stream(backend, 12)
    expect(fromEnd(log)).toBeLessThan(2)
    expect(jump()).toBeNull()
  })

  it('lets go when the wheel turns up, keeps the line in place, and comes back at the end', async () => {
    const { log, backend } = await show(turns(8))
    await wheel(log, -120)
    const left = log.scrollTop
    expect(jump()).toBeVisible()
    await stream(backend, 10)
    expect(Math.abs(log.scrollTop - left)).toBeLessThanOrEqual(1)
    await wheel(log, log.scrollHeight)
    expect(jump()).toBeNull()
    await stream(backend, 5)
    expect(fromEnd(log)).toBeLessThan(2)
  })

  it('lets go on keys', async () => {
    const { log, backend } = await show(turns(8))
    log.focus()
    await userEvent.keyboard('{PageUp}')
    await waitFor(() => expect(jump()).toBeVisible())
    await frames(20)
    const left = log.scrollTop
    await stream(backend, 6)
    expect(Math.abs(log.scrollTop - left)).toBeLessThanOrEqual(1)
  })

  it('lets go on the scroll bar, or on anything else that scrolls up without a change of layout', async () => {
    const { log, backend } = await show(turns(8))
    log.scrollTop -= 300
    await frames(3)
    const left = log.scrollTop
    await stream(backend, 6)
    expect(Math.abs(log.scrollTop - left)).toBeLessThanOrEqual(1)
    expect(jump()).toBeVisible()
  })

  it('lets go of a finger that pulls down', async () => {
    const { log, backend } = await show(turns(8))
    const touch = (y: number): Touch =>
      new Touch({ identifier: 1, target: log, clientX: 100, clientY: y })
    log.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(200)], bubbles: true }))
    log.dispatchEvent(new TouchEvent('touchmove', { touches: [touch(260)], bubbles: true }))
    log.scrollBy({ top: -60, behavior: 'instant' })
    await frames(3)
    const left = log.scrollTop
    await stream(backend, 6)
    expect(Math.abs(log.scrollTop - left)).toBeLessThanOrEqual(1)
  })

  it('stays at the end when the room gets smaller', async () => {
    const { log, box } = await show(turns(8))
    box.style.blockSize = '400px'
    await frames(4)
    expect(fromEnd(log)).toBeLessThan(2)
    expect(jump()).toBeNull()
  })

  it('still follows after the wheel was turned where there was nothing to scroll', async () => {
    const { log, backend } = await show([])
    await wheel(log, -200)
    await stream(backend, 30)
    expect(log.scrollHeight).toBeGreaterThan(log.clientHeight)
    expect(fromEnd(log)).toBeLessThan(2)
  })

  it('does not scroll away from under a selection', async () => {
    const { log, backend } = await show(turns(8))
    const target = await seen('Here it is.')
    document.getSelection()?.selectAllChildren(target)
    const left = log.scrollTop
    await stream(backend, 8)
    expect(Math.abs(log.scrollTop - left)).toBeLessThanOrEqual(1)
    expect(jump()).toBeVisible()
  })

  it('goes to the end with the button, at once, and keeps the focus in the list', async () => {
    const { log, backend } = await show(turns(8))
    await wheel(log, -600)
    const button = jump()
    if (button === null) throw new Error('No button.')
    await userEvent.click(button)
    await frames(2)
    expect(fromEnd(log)).toBeLessThan(2)
    expect(log).toHaveFocus()
    await stream(backend, 4)
    expect(fromEnd(log)).toBeLessThan(2)
  })

  it('shows the person’s own new message, wherever the list was', async () => {
    const backend = stillBackend({ messages: turns(8), onSend: () => new Promise(() => undefined) })
    inScreen(<AgentChat backend={backend} />)
    const log = await screen.findByRole('log')
    await seen('Question 7')
    await frames(4)
    await wheel(log, -900)
    await userEvent.type(page.getByRole('textbox'), 'Mine{Enter}')
    await seen('Mine')
    await frames(4)
    expect(fromEnd(log)).toBeLessThan(2)
  })

  it('fetches older messages ahead of the reader, and nothing jumps', async () => {
    const { log } = await show(turns(30), 20)
    const shown = (): number => document.querySelectorAll('[data-as-part="message"]').length
    expect(shown()).toBe(21)
    await wheel(log, 1000 - log.scrollTop)
    const first = screen.getAllByText(/^Question/)[0]
    const top = first?.getBoundingClientRect().top ?? 0
    log.scrollBy({ top: -500, behavior: 'instant' })
    await waitFor(() => expect(shown()).toBe(41))
    await frames(6)
    expect(Math.abs((first?.getBoundingClientRect().top ?? 0) - top - 500)).toBeLessThanOrEqual(2)
    expect(shown()).toBe(41)
  })
})
