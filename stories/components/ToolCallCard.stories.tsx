import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ToolCallCard } from '../../src/components/index.js'
import { data, text, toolCall, toolResult } from '../fixtures/blocks.js'
import { picture } from '../fixtures/picture.js'

const test = toolCall('Bash', { command: 'npm test', description: 'Run the tests', timeout: 60000 })

const meta = {
  title: 'Components/ToolCallCard',
  component: ToolCallCard,
  args: {
    call: test,
    result: toolResult('42 passed, 0 failed\n'),
    isReplyLive: false,
  },
} satisfies Meta<typeof ToolCallCard>
export default meta

type Story = StoryObj<typeof meta>

/** One row says what was done, with which argument and how long it took; unfolded, everything. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    const row = canvas.getByRole('button', { name: /Run npm test/ })
    await expect(row).toHaveTextContent('Done')
    await userEvent.click(row)
    await expect(canvas.getByText('42 passed, 0 failed')).toBeVisible()
    await expect(canvas.getByText('60000')).toBeVisible()
  },
}

/** The model is writing the arguments: what is there shows, what is missing is no mistake. */
export const Writing: Story = {
  args: {
    call: toolCall('Write', '{"file_path":"/src/app.ts","content":"import { useState } fr', {
      state: 'pending',
      finished_at: null,
    }),
    result: null,
    isReplyLive: true,
    defaultOpen: true,
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Preparing')).toBeVisible()
    await expect(canvas.queryByText('Not valid JSON')).toBeNull()
  },
}

/** Nothing of the arguments is there yet, but the agent says what it is about to do. */
export const Intent: Story = {
  args: {
    call: toolCall('gauge', '', {
      state: 'pending',
      finished_at: null,
      metadata: { intent: 'Read the level of the Elbe' },
    }),
    result: null,
    isReplyLive: true,
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Read the level of the Elbe')).toBeVisible()
  },
}

/** What the tool says about its result stands below it, folded. */
export const ResultDetails: Story = {
  args: {
    result: toolResult('42 passed, 0 failed\n', {
      metadata: { monitor_snapshot_after: { cpu: 0.31, memory_mb: 812 } },
    }),
    defaultOpen: true,
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByText('monitor_snapshot_after')).not.toBeVisible()
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText('monitor_snapshot_after')).toBeVisible()
  },
}

/** The tool works, and its output arrives. */
export const Running: Story = {
  args: {
    call: toolCall('Bash', { command: 'npm run build' }, { state: 'allowed' }),
    result: toolResult('step 1\nstep 2\n', { state: 'running', finished_at: null }),
    isReplyLive: true,
  },
}

/** The agent asks first; in a conversation a confirm card stands here. */
export const WaitingForThePerson: Story = {
  args: {
    call: toolCall('Bash', { command: 'rm -rf build' }, { state: 'asking' }),
    result: null,
    isReplyLive: true,
  },
}

/** A tool of the app is to run it. */
export const WaitingForTheApp: Story = {
  args: {
    call: toolCall('open_map', { city: 'Lisbon' }, { state: 'submitted' }),
    result: toolResult([], { state: 'running', finished_at: null }),
    isReplyLive: true,
  },
}

/** A failure keeps its first line in sight. */
export const Failed: Story = {
  args: {
    call: toolCall('Read', { file_path: '/src/missing.ts' }),
    result: toolResult('Error: /src/missing.ts does not exist.\n  at read (fs.js:12)', {
      state: 'error',
    }),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Failed')).toBeVisible()
    await expect(canvas.getByText('Error: /src/missing.ts does not exist.')).toBeVisible()
  },
}

/** The person said no. The wrapper that the model sees is not shown. */
export const Denied: Story = {
  args: {
    call: toolCall('Bash', { command: 'git push --force' }),
    result: toolResult(
      '<system-reminder>The execution of tool "Bash" is denied by user!</system-reminder>',
      { state: 'denied' },
    ),
    defaultOpen: true,
  },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByText('Denied')).toBeVisible()
    await expect(canvasElement).not.toHaveTextContent('system-reminder')
  },
}

/** Stopped while it ran: what it had written stays. */
export const Interrupted: Story = {
  args: {
    call: toolCall('Bash', { command: 'sleep 300' }),
    result: toolResult('step 1\n', { state: 'interrupted' }),
    defaultOpen: true,
  },
}

/** The reply ended before it was run. */
export const NotRun: Story = {
  args: { call: toolCall('Bash', { command: 'ls' }, { state: 'pending' }), result: null },
}

/** A tool without arguments, and one without output. */
export const Empty: Story = {
  args: {
    call: toolCall('list_sessions', ''),
    result: toolResult('', { name: 'list_sessions' }),
    defaultOpen: true,
  },
}

/** Arguments that cannot be read are marked and shown as they are. */
export const InvalidJson: Story = {
  args: {
    call: toolCall('search', '{"query":"a"}{"query":"a"}'),
    result: null,
    defaultOpen: true,
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Not valid JSON')).toBeVisible()
    await expect(canvas.getByText('{"query":"a"}{"query":"a"}')).toBeVisible()
  },
}

/** Digits that parsing would lose are shown as they were written. */
export const LargeNumber: Story = {
  args: {
    call: toolCall('pay', '{"account": 12345678901234567890, "amount": 1.0}'),
    result: null,
    defaultOpen: true,
  },
  play: async ({ canvas }) => expect(canvas.getByText(/12345678901234567890/)).toBeVisible(),
}

/** Long output is folded; colour codes of the terminal are taken out. */
export const Long: Story = {
  args: {
    result: toolResult(
      Array.from(
        { length: 80 },
        (_line, index) => `\u001b[32m✓\u001b[39m case ${String(index + 1)}`,
      ).join('\n'),
    ),
    defaultOpen: true,
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByText(/case 80/)).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Show all 80 lines' }))
    await expect(canvas.getByText(/✓ case 80/)).toBeVisible()
  },
}

/** Pictures of a result show without unfolding. */
export const Picture: Story = {
  args: {
    call: toolCall('draw_landscape', { title: 'Hills in the morning' }),
    result: toolResult([text('Drawn.'), data('image/png', picture, 'hills.png')]),
  },
}

/** A path that fits nowhere. */
export const LongUnbrokenText: Story = {
  args: {
    call: toolCall('Read', { file_path: 'C:\\very\\long\\path'.repeat(20) }),
    result: toolResult('a'.repeat(900)),
    defaultOpen: true,
  },
}

/** Only the result is known, such as when the call's message was trimmed. */
export const ResultWithoutCall: Story = { args: { call: null, result: toolResult('orphan') } }

/** In the dark. */
export const Dark: Story = { args: { defaultOpen: true }, globals: { theme: 'dark' } }
