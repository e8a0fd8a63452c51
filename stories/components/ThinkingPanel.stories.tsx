import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ThinkingPanel } from '../../src/components/index.js'
import { thinking } from '../fixtures/blocks.js'

const thought = `The person wants to know why the build fails.

1. The error names \`fold/index.ts\`.
2. That file re-exports \`viewMessage\`, which was moved last week.

**So** the export has to follow. I should check whether anything else imports it from the old place before I change it.`

const meta = {
  title: 'Components/ThinkingPanel',
  component: ThinkingPanel,
  args: { block: thinking(thought), isStreaming: false },
} satisfies Meta<typeof ThinkingPanel>
export default meta

type Story = StoryObj<typeof meta>

/** Done: one line says how long it took. The reader unfolds it. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    const line = canvas.getByRole('button', { name: 'Thought for 12 s' })
    await expect(line).toHaveAttribute('aria-expanded', 'false')
    await userEvent.click(line)
    await expect(canvas.getByText(/has to follow/)).toBeVisible()
    await userEvent.click(line)
    await expect(canvas.queryByText(/has to follow/)).toBeNull()
  },
}

/** While it runs, the line shows the newest sentence. */
export const Streaming: Story = {
  args: { isStreaming: true, block: thinking(thought, { finished_at: null }) },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button')).toHaveTextContent(/Thinking.*whether anything else/)
  },
}

/** Unfolded while it runs: smaller and quieter than the answer. */
export const StreamingUnfolded: Story = {
  args: { isStreaming: true, defaultOpen: true, block: thinking(thought, { finished_at: null }) },
}

/** Unfolded when done. */
export const Unfolded: Story = { args: { defaultOpen: true } }

/** No stamps: no duration is made up. */
export const WithoutDuration: Story = {
  args: { block: thinking(thought, { created_at: null, finished_at: null }) },
}

/** The provider hid the reasoning: no empty box. */
export const Empty: Story = {
  args: { block: thinking('') },
  play: async ({ canvas }) => expect(canvas.queryByRole('button')).toBeNull(),
}

/** A word that fits nowhere stays inside. */
export const LongUnbrokenText: Story = {
  args: {
    defaultOpen: true,
    block: thinking('Donaudampfschifffahrtsgesellschaftskapitän'.repeat(9)),
  },
}

/** Right-to-left reasoning in a left-to-right page. */
export const RightToLeft: Story = {
  args: {
    isStreaming: true,
    block: thinking('أفكر في السؤال. ثم أبحث عن الجواب', { finished_at: null }),
  },
}

/** Chinese sentences have no spaces between them. */
export const Chinese: Story = {
  args: {
    isStreaming: true,
    block: thinking('先看错误信息。再检查导出。然后运行测试', { finished_at: null }),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button')).toHaveTextContent('Thinking然后运行测试')
  },
}

/** In the dark. */
export const Dark: Story = { args: { defaultOpen: true }, globals: { theme: 'dark' } }
