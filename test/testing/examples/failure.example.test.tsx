import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AgentChat, TransportError } from '../../../src/entries/index.js'
import { createScenario, scriptedBackend } from '../../../src/entries/testing.js'

/** What is said; beside it, the kit tells screen readers of what is new. */
const conversation = () => within(screen.getByRole('log'))

it('keeps a message that could not be sent, and sends it again', async () => {
  const backend = scriptedBackend()
  backend.failNext('send')
  render(<AgentChat backend={backend} />)
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Hello{Enter}')

  backend.willReply('Now I hear you.')
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await act(() => backend.playAll())
  expect(await conversation().findByText('Now I hear you.')).toBeVisible()
  expect(backend.messages).toHaveLength(2)
})

it('shows the whole answer after the line was lost in its middle', async () => {
  const backend = scriptedBackend(createScenario().user('Count').replyUpTo(5, 'one two three four'))
  render(<AgentChat backend={backend} />)
  expect(await conversation().findByText('Count')).toBeVisible()

  act(() => backend.disconnect(new TransportError('offline', 'No network.')))
  await backend.playAll() // the agent goes on, and nobody hears it
  act(() => backend.reconnect())
  expect(await conversation().findByText('one two three four')).toBeVisible()
})
