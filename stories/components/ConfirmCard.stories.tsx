import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { ConfirmForm } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { JsonObject, ToolCallBlock } from '../../src/protocol/index.js'
import { rule, toolCall } from '../fixtures/blocks.js'

const onDecide = fn()
const onRetry = fn()

function request(
  call: ToolCallBlock,
  worker: string | null = null,
  metadata: JsonObject | null = null,
) {
  return {
    kind: 'confirm' as const,
    key: 'reply-1/call',
    replyId: 'reply-1',
    toolCall: { ...call, state: 'asking' as const },
    askedAt: null,
    metadata,
    worker: worker === null ? null : { sessionId: 's2', agentId: 'a2', agentName: worker },
  }
}
const run = toolCall(
  'Bash',
  { command: 'git commit -m "Fix the export" && git push', timeout: 60000 },
  { suggested_rules: [rule('Bash', 'git commit:*'), rule('Bash', 'git push:*')] },
)

const meta = {
  title: 'Components/ConfirmCard',
  component: ConfirmForm,
  args: { request: request(run), send: null, canRemember: true, onDecide, onRetry },
} satisfies Meta<typeof ConfirmForm>
export default meta

type Story = StoryObj<typeof meta>

/** The question, the exact call, and the choices. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('group', { name: 'Run this command?' })).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Allow once' }))
    await expect(onDecide).toHaveBeenCalledWith(expect.objectContaining({ approve: true }))
  },
}

/** Rules to remember, each in words; the first is chosen. */
export const ChoosingRules: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Always allow…' }))
    await userEvent.click(canvas.getByRole('checkbox', { name: 'Bash matching git push:*' }))
    await userEvent.click(canvas.getByRole('button', { name: 'Allow and remember' }))
    await expect(onDecide).toHaveBeenCalledWith(
      expect.objectContaining({ approve: true, rules: run.suggested_rules }),
    )
  },
}

/** No rule was suggested: there is nothing to remember. */
export const WithoutRules: Story = {
  args: { request: request(toolCall('delete_file', { path: '/data/a.csv' })) },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByRole('button', { name: 'Always allow…' })).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Deny' }))
    await expect(onDecide).toHaveBeenCalledWith(expect.objectContaining({ approve: false }))
  },
}

/** The decision is on its way: nothing can be pressed twice, and focus stays. */
export const Sending: Story = {
  args: { send: { phase: 'sending' } },
  play: async ({ canvas, userEvent }) => {
    const allow = canvas.getByRole('button', { name: 'Allow once' })
    await expect(allow).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(allow)
    await expect(onDecide).not.toHaveBeenCalled()
  },
}

/** It was not taken: the same can be sent again. */
export const Failed: Story = {
  args: { send: { phase: 'failed', error: new TransportError('server', '500'), isSure: true } },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('Your decision was not sent.')
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(onRetry).toHaveBeenCalledOnce()
  },
}

/** No answer came: it may have been taken. */
export const Unknown: Story = {
  args: {
    send: { phase: 'failed', error: new TransportError('closed', 'Lost.'), isSure: false },
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent(
      'It is not known whether your decision arrived. The connection was lost.',
    )
    await expect(canvas.getByRole('button', { name: 'Try again' })).toBeVisible()
  },
}

/** The server called it wrong, and said why: only another decision can help. */
export const Refused: Story = {
  args: {
    send: {
      phase: 'failed',
      error: new TransportError('rejected', '422', {
        status: 422,
        detail: 'This approval has expired: the task was cancelled 4 minutes ago.',
      }),
      isSure: true,
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText(/expired: the task was cancelled/)).toBeVisible()
    await expect(canvas.queryByRole('button', { name: 'Try again' })).toBeNull()
    await expect(canvas.getByRole('button', { name: 'Deny' })).toBeEnabled()
  },
}

/** Decided, and waiting for the reply's other decisions: it can still be changed. */
export const Held: Story = {
  args: { send: { phase: 'held', decision: { request: 'reply-1/call', approve: true } } },
}

/** A sub-agent asks. */
export const AskedByWorker: Story = { args: { request: request(run, 'Researcher') } }

/** No arguments: still a question that can be answered. */
export const Empty: Story = { args: { request: request(toolCall('list_secrets', '')) } }

/** Arguments that cannot be read. */
export const InvalidJson: Story = { args: { request: request(toolCall('search', '{"city":"Par')) } }

/** A command that fits nowhere. */
export const LongUnbrokenText: Story = {
  args: { request: request(toolCall('Bash', { command: `echo ${'a'.repeat(800)}` })) },
}

/** The decision is made elsewhere: nothing is offered that would have no effect. */
export const NotAnswerable: Story = {
  args: { request: request(run, null, { kind: 'approval', answerable: false }) },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('button', { name: 'Allow once' })).toBeNull()
    await expect(canvas.getByText(/can’t be answered here/)).toBeVisible()
  },
}

/** What the asking side says the command is; the arguments are folded. */
export const CommandPreview: Story = {
  args: {
    request: request(
      toolCall('run_terminal_cmd', { command: 'npm publish', is_background: false }),
      null,
      {
        preview: { type: 'command', summary: 'Publishes version 2.4.', command: 'npm publish' },
      },
    ),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('npm publish', { selector: 'pre' })).toBeVisible()
    await expect(canvas.getByText('is_background')).not.toBeVisible()
  },
}

/** An edit, line by line: a sign says what becomes of each, and the colour repeats it. */
export const EditPreview: Story = {
  args: {
    request: request(toolCall('edit', { file_path: 'src/export.ts' }), null, {
      preview: {
        type: 'edit',
        summary: 'edit: src/export.ts',
        file_path: 'src/export.ts',
        edit_context: {
          before: [{ line_no: 11, content: 'export function toCsv(rows: Row[]): string {' }],
          old: [{ line_no: 12, content: "  return rows.map((row) => row.join(',')).join('\\n')" }],
          new: [
            { line_no: 12, content: '  const lines = rows.map((row) => row.map(quote).join())' },
            { line_no: 13, content: "  return lines.join('\\r\\n')" },
          ],
          after: [{ line_no: 14, content: '}' }],
        },
      },
    }),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/return lines/)).toHaveAttribute('data-change', '+')
    await expect(canvas.queryByText(/edit: src/)).toBeNull()
  },
}

/** A file that would be written. */
export const FilePreview: Story = {
  args: {
    request: request(toolCall('write', { path: 'notes/today.md', content: '…' }), null, {
      preview: { type: 'file', path: 'notes/today.md', content_preview: '# Today\n\n- Call Ana' },
    }),
  },
}

/** A preview that says no more than the tool's name: every argument is shown. */
export const PreviewWithoutContent: Story = {
  args: {
    request: request(toolCall('delete_file', { path: '/data/a.csv' }), null, {
      preview: { type: 'tool', summary: 'delete_file' },
    }),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('/data/a.csv')).toBeVisible()
    await expect(canvas.getAllByText('delete_file')).toHaveLength(1)
  },
}

/** A plan to approve, or to send back with a note. */
export const Plan: Story = {
  args: {
    canExplain: true,
    request: request(toolCall('submit_plan', { plan_file: 'plan.md' }), null, {
      kind: 'plan',
      preview: {
        type: 'plan',
        summary: 'Move the export to a worker, then release it as beta.',
        plan_content:
          '## Steps\n\n1. Move `toCsv` into a worker\n2. Show progress after one second\n3. Release as **beta**\n\nNothing is deleted.',
      },
    }),
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('group', { name: 'Approve this plan?' })).toBeVisible()
    await userEvent.type(canvas.getByRole('textbox'), 'Leave step 2 out{Enter}')
    await expect(onDecide).not.toHaveBeenCalled()
    await userEvent.click(canvas.getByRole('button', { name: 'Reject' }))
    await expect(onDecide).toHaveBeenCalledWith(
      expect.objectContaining({ approve: false, reason: 'Leave step 2 out' }),
    )
  },
}

/** In the dark. */
export const Dark: Story = { globals: { theme: 'dark' } }
