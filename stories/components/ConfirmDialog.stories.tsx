import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { expect } from 'storybook/test'
import { Button, ConfirmDialog } from '../../src/components/index.js'
import { rule, toolCall } from '../fixtures/blocks.js'
import { asking, replyStart } from '../fixtures/events.js'
import { inConversation } from '../fixtures/inConversation.js'
import { stillBackend } from '../fixtures/stillBackend.js'

const calls = [
  toolCall(
    'Bash',
    { command: 'npm publish' },
    { id: 'one', suggested_rules: [rule('Bash', 'npm publish:*')] },
  ),
  toolCall('send_mail', { to: 'team@example.com', subject: 'Released' }, { id: 'two' }),
]

function Opener(): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Review</Button>
      <ConfirmDialog open={isOpen} onOpenChange={({ open }) => setOpen(open)} />
    </>
  )
}

const meta = {
  title: 'Components/ConfirmDialog',
  component: ConfirmDialog,
  args: { open: false, onOpenChange: () => undefined },
  render: () => <Opener />,
  decorators: [inConversation(() => stillBackend({ inputs: [replyStart(), ...asking(calls)] }))],
} satisfies Meta<typeof ConfirmDialog>
export default meta

type Story = StoryObj<typeof meta>

/** Each call can be decided by itself. Escape closes, decides nothing, and focus is back on the opener. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    const opener = canvas.getByRole('button', { name: 'Review' })
    await userEvent.click(opener)
    const dialog = await canvas.findByRole('dialog', { name: '2 actions need your approval' })
    await expect(canvas.getByRole('heading', { level: 2 })).toHaveFocus()
    await userEvent.click(canvas.getByRole('button', { name: 'Close' }))
    await expect(dialog).not.toBeVisible()
    await expect(opener).toHaveFocus()
  },
}

/** As it stands open. */
export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Review' }))
    await expect(await canvas.findByRole('dialog')).toBeVisible()
  },
}

/** In the dark. */
export const Dark: Story = { ...Open, globals: { theme: 'dark' } }
