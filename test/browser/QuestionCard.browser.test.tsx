import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { AgentChat } from '../../src/components/index.js'
import type { Answer } from '../../src/protocol/index.js'
import { at, reply, text, toolResult } from '../../stories/fixtures/blocks.js'
import { replyStart } from '../../stories/fixtures/events.js'
import { asksUser, twoQuestions } from '../../stories/fixtures/questions.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { frames, inScreen, part } from './inScreen.js'

function createBackend() {
  const onAnswer = vi.fn<(answers: readonly Answer[]) => void>()
  const backend = stillBackend({
    inputs: [replyStart(), ...asksUser(twoQuestions)],
    onAnswer,
    capabilities: { sendWhileRunning: 'queued' },
  })
  return { backend, onAnswer }
}

describe('<QuestionCard> at the keyboard', () => {
  it('chooses with the arrow keys, answers with Enter, and hands the focus to the next question', async () => {
    const { backend, onAnswer } = createBackend()
    inScreen(<AgentChat backend={backend} />)
    const first = await screen.findByRole('radio', { name: /Stable/ })
    first.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(screen.getByRole('radio', { name: /Beta/ })).toBeChecked()
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: /Beta/ }))
    expect(onAnswer).not.toHaveBeenCalled()
    await userEvent.keyboard('{Enter}')
    await userEvent.keyboard('{Enter}')
    expect(onAnswer).toHaveBeenCalledOnce()
    backend.say({
      type: 'EXTERNAL_EXECUTION_RESULT',
      id: 'echo',
      reply_id: 'reply-1',
      created_at: at(9),
      execution_results: [toolResult('Beta', { id: 'q1', name: 'ask_user' })],
    })
    await frames(4)
    expect(document.activeElement).toHaveTextContent('What should it be called?')
  })

  it('leaves the focus where the person types when a question comes, and Enter there to the field', async () => {
    const onAnswer = vi.fn()
    const onSend = vi.fn()
    const backend = stillBackend({
      onAnswer,
      onSend,
      capabilities: { sendWhileRunning: 'queued' },
    })
    inScreen(<AgentChat backend={backend} />)
    const field = part('composer-input')
    field.focus()
    await userEvent.keyboard('Wait')
    backend.say(replyStart(), ...asksUser(twoQuestions))
    await screen.findByRole('radio', { name: /Stable/ })
    expect(document.activeElement).toBe(field)
    await userEvent.keyboard('{Enter}')
    expect(onAnswer).not.toHaveBeenCalled()
    expect(onSend).toHaveBeenCalledOnce()
  })

  it('is reached from the bar above the field while it is out of sight', async () => {
    const long = 'A line of the conversation.\n\n'.repeat(60)
    const backend = stillBackend({
      messages: [reply([text(long)], { id: 'before' })],
      inputs: [replyStart(), ...asksUser(twoQuestions)],
    })
    inScreen(<AgentChat backend={backend} />)
    await screen.findByRole('radio', { name: /Stable/ })
    await frames(4)
    const log = screen.getByRole('log')
    log.dispatchEvent(new WheelEvent('wheel', { deltaY: -400, bubbles: true }))
    log.scrollTop = 0
    await userEvent.click(await screen.findByRole('button', { name: 'Review' }))
    await frames(4)
    expect(screen.getByRole('heading', { name: /Where should version 2.4 go/ })).toHaveFocus()
  })
})
