import { render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { ChatRoot, Message } from '../../src/components/index.js'
import { reply, text, toolCall, toolResult } from '../../stories/fixtures/blocks.js'

function Broken(): never {
  throw new Error('An app’s card that fails.')
}
const slots = { tools: { f: Broken } }

describe('<Message>', () => {
  it('keeps the rest when an app’s own piece fails', () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    render(
      <ChatRoot slots={slots}>
        <Message message={reply([toolCall('f', {}), toolResult('x'), text('still here')])} />
      </ChatRoot>,
    )
    expect(screen.getByText('still here')).toBeVisible()
    expect(screen.getByText('This part could not be shown.')).toBeVisible()
    errors.mockRestore()
  })
})
