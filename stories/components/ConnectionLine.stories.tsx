import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { ConnectionLineView } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'

const onRetry = fn()
const lost = new TransportError('closed', 'The stream ended.')

const meta = {
  title: 'Components/ConnectionLine',
  component: ConnectionLineView,
  args: { connection: { phase: 'waiting', retryAt: 0, cause: lost }, onRetry },
} satisfies Meta<typeof ConnectionLineView>
export default meta

type Story = StoryObj<typeof meta>

/** The next attempt is due. */
export const Reconnecting: Story = {
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('Reconnecting')
    await userEvent.click(canvas.getByRole('button', { name: 'Retry now' }))
    await expect(onRetry).toHaveBeenCalledOnce()
  },
}

/** What was missed is being compared with what is stored. */
export const CatchingUp: Story = { args: { connection: { phase: 'catching-up' } } }

/** The device has no network. */
export const Offline: Story = { args: { connection: { phase: 'offline' } } }

/** Only the person can go on. */
export const Failed: Story = {
  args: { connection: { phase: 'failed', cause: new TransportError('unauthorized', '401') } },
}

/** All is well: nothing. */
export const Open: Story = {
  args: { connection: { phase: 'open' } },
  play: async ({ canvas }) => expect(canvas.queryByRole('status')).toBeNull(),
}
