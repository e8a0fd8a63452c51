import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AgentChat } from '../../../src/entries/index.js'
import { createScenario, scriptedBackend, text, toolCall } from '../../../src/entries/testing.js'

/** What is said; beside it, the kit tells screen readers of what is new. */
const conversation = () => within(screen.getByRole('log'))

it('shows an answer while it is written', async () => {
  const past = createScenario().user('Hi').reply('Hello! How can I help?')
  const backend = scriptedBackend(past)
  render(<AgentChat backend={backend} />)
  expect(await conversation().findByText('Hello! How can I help?')).toBeVisible()

  // What the agent will say, in deltas of nine characters.
  backend.willReply(text('It is **8 °C** in Oslo.', 9))
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'Weather in Oslo?{Enter}')
  expect(backend.sent).toHaveLength(1)

  await act(() => backend.step(4)) // up to the first delta
  expect(await conversation().findByText(/^It is/)).toBeVisible()
  await act(() => backend.playAll())
  expect(await conversation().findByText(/in Oslo\.$/)).toBeVisible()
})

it('runs a tool only when the person allows it', async () => {
  const call = toolCall('c1', 'delete_files', { path: '/logs' }, { needs: 'approval' })
  const asked = createScenario().user('Clean up').reply('I will.', call, 'The logs are gone.')
  const backend = scriptedBackend(asked)
  render(<AgentChat backend={backend} />)

  await userEvent.click(await screen.findByRole('button', { name: 'Allow once' }))
  expect(backend.answered).toMatchObject([{ results: [{ confirmed: true }] }])
  await act(() => backend.playAll())
  expect(await conversation().findByText('The logs are gone.')).toBeVisible()
})
