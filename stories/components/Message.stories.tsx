import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { Message } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import {
  data,
  hint,
  reply,
  text,
  thinking,
  toolCall,
  toolResult,
  unknown,
  userMsg,
} from '../fixtures/blocks.js'
import { picture } from '../fixtures/picture.js'

const answer = `The build fails because \`viewMessage\` moved.

1. Export it from \`fold/index.ts\` again.
2. Run the tests.

\`\`\`ts
export { viewMessage } from './viewMessage.js'
\`\`\`
`
const onRetry = fn()
const onDiscard = fn()
const onEdit = fn()
const onSendLater = fn()

const meta = {
  title: 'Components/Message',
  component: Message,
  args: {
    message: reply([
      thinking('The error names a file that was moved.'),
      text('Let me look.'),
      toolCall('Bash', { command: 'npm run build' }),
      toolResult('error TS2305: no exported member', { state: 'error' }),
      text(answer),
    ]),
    phase: 'ended',
    isLast: true,
  },
} satisfies Meta<typeof Message>
export default meta

type Story = StoryObj<typeof meta>

/** An answer: thinking, text, a tool and text again, in order of arrival. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('article', { name: 'Message from Friday' })).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Copy message' }))
    await expect(await canvas.findByText(/Copied|Copying failed/)).toBeVisible()
  },
}

/** The person's: a soft bubble at the end side, as it was typed. */
export const User: Story = {
  args: { message: userMsg('Why does the build fail?\n\nI changed nothing.') },
}

/** The person's, with a picture. */
export const UserWithPicture: Story = {
  args: {
    message: userMsg('', {
      content: [data('image/png', picture, 'hills.png'), text('Where is this?')],
    }),
  },
}

/** On its way to the server. */
export const Sending: Story = {
  args: { message: userMsg('Hello'), send: { phase: 'sending' } },
}

/** It did not get there: it can be sent again, or given up. */
export const SendFailed: Story = {
  args: {
    message: userMsg('Hello'),
    send: { phase: 'failed', error: new TransportError('offline', 'No network.'), isSure: true },
    onRetry,
    onDiscard,
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(onRetry).toHaveBeenCalledOnce()
    await userEvent.click(canvas.getByRole('button', { name: 'Discard' }))
    await expect(onDiscard).toHaveBeenCalledOnce()
  },
}

/** No answer came, and history could not tell: "try again" looks before it sends. */
export const SendUnknown: Story = {
  args: {
    message: userMsg('Order the parts for the garden gate'),
    send: { phase: 'failed', error: new TransportError('timeout', '30 s'), isSure: false },
    onRetry,
    onDiscard,
    onEdit,
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('not known whether this arrived')
  },
}

const refusal = 'Messages of more than <b>4,000</b> characters are not taken.'

/** The server called it wrong: it would refuse the same again, and may have said why. */
export const SendRefused: Story = {
  args: {
    message: userMsg('Hello'),
    send: {
      phase: 'failed',
      error: new TransportError('rejected', '422', { status: 422, detail: refusal }),
      isSure: true,
    },
    onRetry,
    onDiscard,
    onEdit,
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByRole('button', { name: 'Try again' })).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Edit' }))
    await expect(onEdit).toHaveBeenCalledOnce()
    await expect(canvas.getByText(refusal)).not.toBeVisible()
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText(refusal)).toBeVisible()
  },
}

const notKept = {
  phase: 'failed',
  error: new TransportError('not-kept', 'Too large.'),
  isSure: true,
} as const

/** Too large to be kept whole when the page was left: its words are left, its files are not. */
export const NotKept: Story = {
  args: { message: userMsg('What is wrong in this picture?'), send: notKept, onDiscard, onEdit },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('attach its files again')
    await expect(canvas.queryByText('Attachments')).toBeNull()
  },
}

/** The same of a message that was a picture only: a word stands in its place. */
export const PictureNotKept: Story = {
  args: { ...NotKept.args, message: userMsg('', { content: [] }) },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Attachments')).toBeVisible()
    await expect(canvas.getByRole('alert')).toHaveTextContent('attach its files again')
  },
}

/** The same in the dark, while it is not known whether it arrived. */
export const PictureNotKeptDark: Story = {
  args: { ...PictureNotKept.args, send: { ...notKept, isSure: false }, onRetry },
  globals: { theme: 'dark' },
}

/** The agent was busy: it can wait for the end of the answer. */
export const SendConflict: Story = {
  args: {
    message: userMsg('And the second question?'),
    send: {
      phase: 'failed',
      error: new TransportError('conflict', '409', { status: 409 }),
      isSure: true,
    },
    onRetry,
    onDiscard,
    onEdit,
    onSendLater,
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send when the answer is done' }))
    await expect(onSendLater).toHaveBeenCalledOnce()
  },
}

/** It waits for the end of the answer. */
export const Held: Story = {
  args: {
    message: userMsg('And the second question?'),
    send: { phase: 'held' },
    waitsFor: 'run',
    onRetry,
    onDiscard,
    onEdit,
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('Goes out when the answer is done.')
    await expect(canvas.queryByRole('button', { name: 'Try again' })).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Discard' }))
    await expect(onDiscard).toHaveBeenCalledOnce()
  },
}

/** The agent waits for the person meanwhile. */
export const HeldForRequest: Story = { args: { ...Held.args, waitsFor: 'request' } }

/** There is no connection. */
export const HeldForConnection: Story = {
  args: { ...Held.args, waitsFor: 'connection' },
  globals: { theme: 'dark' },
}

/** Being written: a soft mark at the tail. */
export const Streaming: Story = {
  args: {
    phase: 'running',
    message: reply(
      [
        thinking('Let me see.'),
        text('The build fails because `viewMessage` mo', { finished_at: null }),
      ],
      {
        finished_at: null,
        finished_reason: null,
      },
    ),
  },
}

/** Broken off by an error: what was there stays, the notice says why. */
export const Failed: Story = {
  args: {
    message: reply([text('The build fails bec', { finished_at: null })], {
      finished_reason: 'error',
      error: { type: 'connection', message: 'ConnectError: all attempts failed' },
    }),
    onContinue: fn(),
  },
}

/** Stopped by the person. */
export const Interrupted: Story = {
  args: { message: reply([text('The build fails bec')], { finished_reason: 'interrupted' }) },
}

/** Nothing in it: no empty bubble. */
export const Empty: Story = {
  args: { message: reply([]) },
  play: async ({ canvas }) => expect(canvas.queryByRole('article')).toBeNull(),
}

/** Every kind of piece. */
export const EveryKind: Story = {
  args: {
    message: reply([
      hint(
        '<system-reminder>Be brief.</system-reminder>',
        '{"label":"System","sublabel":"Reminder"}',
      ),
      thinking('Short, then.'),
      text('Here it is:'),
      data('image/png', picture, 'hills.png'),
      unknown(),
    ]),
  },
}

/** Words that fit nowhere. */
export const LongUnbrokenText: Story = {
  args: { message: userMsg('a'.repeat(400)) },
}

/** Chinese, Japanese and Latin in one answer. */
export const MixedScripts: Story = {
  args: {
    message: reply([
      text('**你好，**世界！ここで `npm test` を実行してください。Then check the *résumé*.'),
    ]),
  },
}

/** Each paragraph takes its own direction. */
export const RightToLeft: Story = {
  args: {
    message: reply([text('مرحبا! شغّل `npm test` أولاً.\n\n- أولاً\n- ثانياً\n\nEnglish again.')]),
  },
}

/** In the dark. */
export const Dark: Story = { globals: { theme: 'dark' } }
