import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { MessageList } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { Msg } from '../../src/protocol/index.js'
import { reply, text, userMsg } from '../fixtures/blocks.js'
import { openText, replyStart } from '../fixtures/events.js'
import { inConversation } from '../fixtures/inConversation.js'
import '../fixtures/stories.css'
import { stillBackend } from '../fixtures/stillBackend.js'
import { subAgentAtWork } from '../fixtures/subAgents.js'

const turns: readonly Msg[] = Array.from({ length: 12 }, (_turn, index) => [
  userMsg(`Question ${String(index + 1)}`, { id: `user-${String(index)}` }),
  reply(
    [text(`Answer ${String(index + 1)}. It has a few words, so that a line or two are filled.`)],
    {
      id: `reply-${String(index)}`,
    },
  ),
]).flat()

const meta = {
  title: 'Components/MessageList',
  component: MessageList,
  args: { greeting: 'Good morning', suggestions: ['Summarise my inbox', 'Plan the week'] },
  decorators: [
    (Story) => (
      <div className="story-room">
        <Story />
      </div>
    ),
  ],
} satisfies Meta<typeof MessageList>
export default meta

type Story = StoryObj<typeof meta>

/** A long conversation, shown from its end; a button leads back there. */
export const Default: Story = {
  decorators: [inConversation(() => stillBackend({ messages: turns }))],
  play: async ({ canvas, userEvent }) => {
    const log = await canvas.findByRole('log')
    await canvas.findByText(/Answer 12/)
    log.dispatchEvent(new WheelEvent('wheel', { deltaY: -200, bubbles: true }))
    log.scrollTop = 0
    await userEvent.click(await canvas.findByRole('button', { name: 'Jump to latest' }))
    await expect(canvas.queryByRole('button', { name: 'Jump to latest' })).toBeNull()
    await expect(log.scrollHeight - log.scrollTop - log.clientHeight).toBeLessThan(5)
  },
}

/** Nothing was said yet: a greeting and what one might ask. */
export const Empty: Story = {
  decorators: [inConversation(() => stillBackend())],
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Good morning')).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Plan the week' })).toBeVisible()
  },
}

/** An answer is being written. */
export const Streaming: Story = {
  decorators: [
    inConversation(() =>
      stillBackend({
        messages: turns.slice(0, 2),
        isRunning: true,
        inputs: [replyStart('now'), ...openText('Here is what I fou', 'now')],
      }),
    ),
  ],
}

/** The question was sent, and nothing has come back yet. */
export const Waiting: Story = {
  decorators: [
    inConversation(() =>
      stillBackend({ messages: turns.slice(0, 1), isRunning: true, inputs: [replyStart('now')] }),
    ),
  ],
}

/** Stored messages could not be read. */
export const HistoryFailed: Story = {
  decorators: [
    inConversation(() => ({
      ...stillBackend(),
      history: () => Promise.reject(new TransportError('server', '500')),
    })),
  ],
  play: async ({ canvas }) =>
    expect(await canvas.findByText(/Earlier messages could not be loaded/)).toBeVisible(),
}

/** In the dark. */
export const Dark: Story = { ...Streaming, globals: { theme: 'dark' } }

/** A sub-agent at work stands under the call that sent it out, and can be folded away. */
export const SubAgent: Story = {
  decorators: [inConversation(() => stillBackend({ inputs: subAgentAtWork }))],
  play: async ({ canvas, userEvent }) => {
    await expect(await canvas.findByText('Three shelves are empty.')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Scout' }))
    await expect(canvas.queryByText('Three shelves are empty.')).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Scout' }))
    await expect(canvas.getByText('Three shelves are empty.')).toBeVisible()
  },
}
