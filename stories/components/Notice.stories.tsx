import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { ReplyNotice } from '../../src/components/index.js'
import type { Msg } from '../../src/protocol/index.js'
import { reply } from '../fixtures/blocks.js'

const onContinue = fn()
const failed = (type: string, message: string): Msg =>
  reply([], { finished_reason: 'error', error: { type, message } })

const meta = {
  title: 'Components/Notice',
  component: ReplyNotice,
  args: { message: failed('upstream', 'HTTP 502 from the provider'), onContinue },
} satisfies Meta<typeof ReplyNotice>
export default meta

type Story = StoryObj<typeof meta>

/** A failure that may pass: one sentence, one action, details folded. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(onContinue).toHaveBeenCalledOnce()
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText('HTTP 502 from the provider')).toBeVisible()
  },
}

/** A failure that trying again does not cure. */
export const Authentication: Story = {
  args: { message: failed('authentication', 'Invalid API key') },
  play: async ({ canvas }) => expect(canvas.queryByRole('button')).toBeNull(),
}

/** A kind of failure that this version does not know. */
export const UnknownError: Story = { args: { message: failed('gremlins', 'They were here.') } }

/** The person stopped it. */
export const Interrupted: Story = {
  args: { message: reply([], { finished_reason: 'interrupted' }) },
}

/** The limit of steps: the agent can go on. */
export const ExceededRounds: Story = {
  args: { message: reply([], { finished_reason: 'exceed_max_iters' }) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Continue' }))
    await expect(onContinue).toHaveBeenCalledOnce()
  },
}

/** An older reply offers nothing. */
export const NotTheLast: Story = {
  render: ({ message }) => <ReplyNotice message={message} />,
  play: async ({ canvas }) => expect(canvas.queryByRole('button')).toBeNull(),
}

/** Details that fit nowhere, with markup in them that stays text. */
export const LongUnbrokenText: Story = {
  args: { message: failed('internal', `<script>alert(1)</script>${'x'.repeat(900)}`) },
}

/** In the dark. */
export const Dark: Story = { globals: { theme: 'dark' } }
