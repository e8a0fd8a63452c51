import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { CurrentNotice, MessageFacts } from '../../src/components/index.js'
import type { ConversationInput } from '../../src/protocol/index.js'
import { reply } from '../../stories/fixtures/blocks.js'
import { openText, replyEnd, replyStart } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { inChat, say, settled } from './inChat.js'

function notice(name: string, value: object): ConversationInput {
  return { type: 'CUSTOM', id: `${name} ${JSON.stringify(value)}`, name, value: { ...value } }
}

async function show(...inputs: readonly ConversationInput[]) {
  const backend = stillBackend({ inputs: [replyStart(), ...openText('So'), ...inputs] })
  render(inChat(backend, <CurrentNotice />))
  await settled()
  return backend
}

describe('<CurrentNotice>', () => {
  it('says in its own words that the model is tried again, until that is taken back', async () => {
    const backend = await show(notice('retrying', { message: 'HTTP 502', attempt: 1 }))
    expect(screen.getByRole('status')).toHaveTextContent('The model did not answer. Trying again.')
    await say(backend, notice('retrying', {}))
    expect(screen.queryByRole('status')).toBeNull()
  })

  it.each([
    [
      'warning',
      { message: 'The arguments could not be read.' },
      'The arguments could not be read.',
    ],
    ['quota_exceeded', { type: 'daily', limit: 10 }, 'The quota is used up.'],
    ['context_warning', { message: 7 }, 'The conversation is getting too long for the model.'],
  ])('tells of %s', async (name, value, words) => {
    await show(notice(name, value))
    expect(screen.getByRole('status')).toHaveTextContent(words)
  })

  it('is gone with the run, and tells nothing of other events', async () => {
    const backend = await show(notice('file_tree_update', { message: 'x' }))
    expect(screen.queryByRole('status')).toBeNull()
    await say(backend, notice('warning', { message: 'x' }))
    expect(screen.getByRole('status')).toBeVisible()
    await say(backend, replyEnd())
    expect(screen.queryByRole('status')).toBeNull()
  })
})

describe('<MessageFacts>', () => {
  it('says how much work a reply took where the agent counted', () => {
    const metadata = { total_iterations: 3, total_tool_calls: 1 }
    render(<MessageFacts message={reply([])} name="Friday" metadata={metadata} />)
    expect(screen.getByText('3 steps, 1 tool call')).toBeVisible()
  })

  it('says nothing of it where the agent did not', () => {
    const { container } = render(
      <MessageFacts message={reply([])} name="Friday" metadata={{ total_iterations: '3' }} />,
    )
    expect(container).not.toHaveTextContent('step')
  })
})
