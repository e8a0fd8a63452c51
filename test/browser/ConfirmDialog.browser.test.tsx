import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { AgentChat, ChatRoot, Composer, ConfirmDialog } from '../../src/components/index.js'
import { AgentStreamProvider } from '../../src/hooks/index.js'
import type { AgentEvent, Answer, ToolCallBlock } from '../../src/protocol/index.js'
import { at, reply, rule, text, toolCall } from '../../stories/fixtures/blocks.js'
import { asking, replyStart } from '../../stories/fixtures/events.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import type { StillBackend } from '../../stories/fixtures/stillBackend.js'
import { frames, inScreen, part } from './inScreen.js'

const publish = toolCall(
  'Bash',
  { command: 'npm publish' },
  { id: 'one', suggested_rules: [rule('Bash', null)] },
)
const mail = toolCall('send_mail', { to: 'x' }, { id: 'two' })
const calls = [publish, mail]

/** What the service sends once a call was answered. */
function echo(call: ToolCallBlock): AgentEvent {
  return {
    type: 'USER_CONFIRM_RESULT',
    id: `echo-${call.id}`,
    reply_id: 'reply-1',
    created_at: at(9),
    confirm_results: [{ confirmed: true, tool_call: { ...call, state: 'asking' } }],
  }
}

function createBackend(count = 1) {
  const onAnswer = vi.fn<(answers: readonly Answer[]) => void>()
  const inputs = [replyStart(), ...asking(calls.slice(0, count))]
  return { onAnswer, backend: stillBackend({ inputs, onAnswer }) }
}

/** A composer, from whose text field the dialog is opened with a key. */
function App({ backend }: { readonly backend: StillBackend }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <AgentStreamProvider backend={backend}>
      <ChatRoot
        onKeyDown={(event) => {
          if (event.key === 'F2') setOpen(true)
        }}
      >
        <Composer />
        <ConfirmDialog open={isOpen} onOpenChange={({ open }) => setOpen(open)} />
        <button type="button">after</button>
      </ChatRoot>
    </AgentStreamProvider>
  )
}

async function openFromComposer(backend: StillBackend): Promise<HTMLElement> {
  inScreen(<App backend={backend} />)
  await frames(4)
  part('composer-input').focus()
  await userEvent.keyboard('{F2}')
  return screen.findByRole('dialog')
}

function isInside(dialog: HTMLElement): boolean {
  const focused = document.activeElement
  return focused !== null && focused !== document.body && dialog.contains(focused)
}

describe('<ConfirmDialog> in a browser', () => {
  it('starts on its title, so that a key on its way decides nothing', async () => {
    const { backend, onAnswer } = createBackend()
    await openFromComposer(backend)
    expect(screen.getByRole('heading', { level: 2 })).toHaveFocus()
    await userEvent.keyboard('{Enter}{Enter} ')
    expect(onAnswer).not.toHaveBeenCalled()
  })

  it('denies with Enter on Deny, and approves nothing', async () => {
    const { backend, onAnswer } = createBackend()
    await openFromComposer(backend)
    const deny = screen.getByRole('button', { name: 'Deny' })
    for (let step = 0; step < 8 && document.activeElement !== deny; step += 1) {
      await userEvent.keyboard('{Tab}')
    }
    expect(deny).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(onAnswer).toHaveBeenCalledOnce())
    expect(onAnswer.mock.calls[0]?.[0]).toMatchObject([{ results: [{ confirmed: false }] }])
  })

  it('keeps the focus inside, ten steps forwards and ten back', async () => {
    const { backend } = createBackend(2)
    const dialog = await openFromComposer(backend)
    for (let step = 0; step < 10; step += 1) {
      await userEvent.keyboard('{Tab}')
      expect(isInside(dialog)).toBe(true)
    }
    for (let step = 0; step < 10; step += 1) {
      await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
      expect(isInside(dialog)).toBe(true)
    }
  })

  it('keeps the focus inside when Shift+Tab is the first key', async () => {
    const { backend } = createBackend(2)
    const dialog = await openFromComposer(backend)
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(isInside(dialog)).toBe(true)
    expect(screen.getAllByRole('button', { name: 'Deny' }).at(-1)).toHaveFocus()
  })

  it('closes with Escape, decides nothing, and gives the focus back', async () => {
    const { backend, onAnswer } = createBackend()
    const dialog = await openFromComposer(backend)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeVisible())
    expect(onAnswer).not.toHaveBeenCalled()
    expect(part('composer-input')).toHaveFocus()
    await userEvent.keyboard('{F2}')
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  it('moves on to the next question when one is answered, and back to the composer after the last', async () => {
    const { backend } = createBackend(2)
    const dialog = await openFromComposer(backend)
    screen.getAllByRole('button', { name: 'Deny' })[0]?.focus()
    await userEvent.keyboard('{Enter}')
    backend.say(echo(publish))
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Deny' })).toHaveLength(1))
    expect(isInside(dialog)).toBe(true)
    await userEvent.keyboard('{Tab}')
    expect(screen.getByRole('button', { name: 'Allow once' })).toHaveFocus()
    backend.say(echo(mail))
    await waitFor(() => expect(dialog).not.toBeVisible())
    expect(part('composer-input')).toHaveFocus()
  })
})

describe('<AgentChat> with a question in its flow', () => {
  it('leaves the focus in the composer when a question comes, and lets typing go on', async () => {
    const onAnswer = vi.fn<(answers: readonly Answer[]) => void>()
    const still = stillBackend({ onAnswer })
    inScreen(<AgentChat backend={still} />)
    await frames(4)
    await userEvent.click(part('composer-input'))
    still.say(replyStart(), ...asking(calls.slice(0, 1)))
    await screen.findByRole('button', { name: 'Allow once' })
    expect(part('composer-input')).toHaveFocus()
    await userEvent.keyboard('wait{Enter}')
    expect(part('composer-input')).toHaveValue('wait')
    expect(onAnswer).not.toHaveBeenCalled()
  })

  it('hands the focus to the composer when the card that had it goes away', async () => {
    const { backend } = createBackend()
    inScreen(<AgentChat backend={backend} />)
    const allow = await screen.findByRole('button', { name: 'Allow once' })
    part('composer-input').focus()
    for (let step = 0; step < 20 && document.activeElement !== allow; step += 1) {
      await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    }
    expect(allow).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    backend.say(echo(publish))
    await waitFor(() => expect(allow).not.toBeInTheDocument())
    expect(part('composer-input')).toHaveFocus()
  })

  it('shows a bar above the composer while the card is out of sight, which leads to it', async () => {
    const filled = stillBackend({
      messages: [reply([text('A line.\n\n'.repeat(120))], { id: 'old' })],
      inputs: [replyStart(), ...asking([publish])],
    })
    inScreen(<AgentChat backend={filled} />)
    await screen.findByRole('button', { name: 'Allow once' })
    await frames(4)
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull()
    const log = screen.getByRole('log')
    log.dispatchEvent(new WheelEvent('wheel', { deltaY: -400, bubbles: true }))
    log.scrollTop = 0
    await userEvent.click(await screen.findByRole('button', { name: 'Review' }))
    await frames(4)
    expect(screen.getByRole('heading', { name: 'Run this command?' })).toHaveFocus()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Review' })).toBeNull())
  })
})
