import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { expect, fn } from 'storybook/test'
import { AgentChat } from '../../src/components/index.js'
import type { AgentChatProps, ToolCallCardProps } from '../../src/components/index.js'
import { zh } from '../../src/i18n/index.js'
import { TransportError } from '../../src/protocol/index.js'
import type { Msg } from '../../src/protocol/index.js'
import {
  data,
  reply,
  rule,
  text,
  thinking,
  toolCall,
  toolResult,
  userMsg,
} from '../fixtures/blocks.js'
import { asking, openText, openThinking, replyStart } from '../fixtures/events.js'
import { picture } from '../fixtures/picture.js'
import '../fixtures/stories.css'
import { asksUser, twoQuestions } from '../fixtures/questions.js'
import { stillBackend } from '../fixtures/stillBackend.js'
import type { StillBackendOptions } from '../fixtures/stillBackend.js'

const talk: readonly Msg[] = [
  userMsg('Why does the build fail?'),
  reply([
    thinking('The error names a file that was moved last week.'),
    text('Let me look at it.'),
    toolCall('Bash', { command: 'npm run build' }, { id: 'build' }),
    toolResult("error TS2305: Module './fold' has no exported member 'viewMessage'.", {
      id: 'build',
      state: 'error',
    }),
    toolCall('Read', { file_path: 'src/fold/index.ts' }, { id: 'read' }),
    toolResult('export { appendEvent } from "./appendEvent.js"', { id: 'read', name: 'Read' }),
    text(
      'The build fails because **`viewMessage` moved** and the door still names the old place.\n\n' +
        '1. Export it from `fold/index.ts` again.\n2. Run the tests.\n\n' +
        "```ts\nexport { viewMessage } from './viewMessage.js'\n```\n\nShall I do that?",
    ),
  ]),
]
const deploy = toolCall(
  'Bash',
  { command: 'npm publish --access public', description: 'Publish the package' },
  { id: 'publish', suggested_rules: [rule('Bash', 'npm publish:*')] },
)
const onSend = fn()
const onAnswer = fn()

/** A chat with a still backend, made once per showing of the story. */
function Chat(
  props: Omit<AgentChatProps, 'backend'> & { readonly still: StillBackendOptions },
): ReactElement {
  const { still, ...rest } = props
  const [backend] = useState(() => stillBackend({ onSend, onAnswer, ...still }))
  return <AgentChat {...rest} backend={backend} />
}

const meta = {
  title: 'Components/AgentChat',
  component: Chat,
  args: {
    still: { messages: talk },
    greeting: 'What shall we build today?',
    suggestions: [
      'Explain this repository',
      'Why does the build fail?',
      'Write a test',
      'Plan a release',
    ],
  },
  parameters: { layout: 'fullscreen' },
  decorators: [
    (Story, { args, globals }) => (
      <div className="story-screen">
        <Story args={{ ...args, theme: globals['theme'] === 'dark' ? 'dark' : 'light' }} />
      </div>
    ),
  ],
} satisfies Meta<typeof Chat>
export default meta

type Story = StoryObj<typeof meta>

/** A conversation at rest. What is sent shows at once. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    await canvas.findByText(/Shall I do that/)
    await userEvent.type(canvas.getByRole('textbox'), 'Yes, please{Enter}')
    await expect(await canvas.findByText('Yes, please')).toBeVisible()
    await expect(onSend).toHaveBeenCalledOnce()
  },
}

/** Nothing was said yet. */
export const Empty: Story = {
  args: { still: {} },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Write a test' }))
    await expect(onSend).toHaveBeenCalledOnce()
  },
}

/** The agent thinks. */
export const Thinking: Story = {
  args: {
    still: {
      messages: talk.slice(0, 1),
      isRunning: true,
      inputs: [
        replyStart('now'),
        ...openThinking('The error names a file. It was moved last week', 'now'),
      ],
    },
  },
}

/** The agent asks two things, each answered by itself. */
export const Questions: Story = {
  args: {
    still: {
      messages: talk,
      isRunning: true,
      inputs: [replyStart('now'), ...asksUser(twoQuestions, 'now')],
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('radio', { name: /Beta/ }))
    await userEvent.keyboard('{Enter}')
    await expect(await canvas.findByText('Answered')).toBeVisible()
  },
}

/** The model did not answer and is tried again: one line says so while it lasts. */
export const Retrying: Story = {
  args: {
    still: {
      messages: talk,
      isRunning: true,
      inputs: [
        replyStart('now'),
        ...openText('Done. I exported it again', 'now'),
        {
          type: 'CUSTOM',
          id: 'retrying',
          name: 'retrying',
          value: { message: 'HTTP 502', retry_in: 10, attempt: 2 },
        },
      ],
    },
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('The model did not answer. Trying again.')).toBeVisible()
  },
}

/** The answer is being written: the button stops it. */
export const Streaming: Story = {
  args: {
    still: {
      messages: talk,
      isRunning: true,
      inputs: [
        replyStart('now'),
        ...openText('Done. I exported it again and ran the tests; all **42** pas', 'now'),
      ],
    },
  },
  play: async ({ canvas }) =>
    expect(await canvas.findByRole('button', { name: 'Stop' })).toBeVisible(),
}

/** A tool call waits for the person, in the flow of the conversation. */
export const WaitingForThePerson: Story = {
  args: {
    still: {
      messages: talk,
      inputs: [
        replyStart('now'),
        ...openText('I will publish it.', 'now'),
        ...asking([deploy], 'now'),
      ],
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Allow once' }))
    await expect(onAnswer).toHaveBeenCalledOnce()
  },
}

/** The same, asked in a dialog. */
export const WaitingInDialog: Story = {
  args: {
    approvals: 'dialog',
    still: { messages: talk, inputs: [replyStart('now'), ...asking([deploy], 'now')] },
  },
  play: async ({ canvas }) => expect(await canvas.findByRole('dialog')).toBeVisible(),
}

/** The person denied a call. */
export const Denied: Story = {
  args: {
    still: {
      messages: [
        userMsg('Publish it'),
        reply([
          { ...deploy, state: 'finished' },
          toolResult(
            '<system-reminder>The execution of tool "Bash" is denied by user!</system-reminder>',
            {
              id: 'publish',
              state: 'denied',
            },
          ),
          text('All right, I leave it unpublished.'),
        ]),
      ],
    },
  },
}

/** The person stopped the answer. */
export const Interrupted: Story = {
  args: {
    still: {
      messages: [
        userMsg('Count to a million'),
        reply([text('1, 2, 3, 4,')], { finished_reason: 'interrupted' }),
      ],
    },
  },
}

/** The answer broke off. */
export const Failed: Story = {
  args: {
    still: {
      messages: [
        userMsg('Hello'),
        reply([], {
          finished_reason: 'error',
          error: { type: 'rate_limit', message: '429 Too Many Requests' },
        }),
      ],
    },
  },
}

/** The message did not reach the server. */
export const SendFailed: Story = {
  args: {
    still: {
      onSend: () => Promise.reject(new TransportError('server', '500')),
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(await canvas.findByRole('textbox'), 'Hello{Enter}')
    await expect(await canvas.findByText(/Not sent/)).toBeVisible()
  },
}

/** A message that waits for the end of the answer, in the flow of the conversation. */
export const WaitingMessage: Story = {
  args: { ...Streaming.args },
  play: async ({ canvas, userEvent }) => {
    await canvas.findByRole('button', { name: 'Stop' })
    await userEvent.type(canvas.getByRole('textbox'), 'Then publish it{Enter}')
    await userEvent.click(canvas.getByRole('button', { name: 'Send when the answer is done' }))
    await expect(await canvas.findByText('Goes out when the answer is done.')).toBeVisible()
    await expect(onSend).not.toHaveBeenCalled()
  },
}

/** The agent waits for the person, who is writing something else: the way to the question, or a stop. */
export const WaitingWithDraft: Story = {
  args: { ...WaitingForThePerson.args },
  play: async ({ canvas, userEvent }) => {
    const title = await canvas.findByRole('heading', { name: 'Run this command?' })
    await userEvent.type(canvas.getByRole('textbox'), 'And tell the others{Enter}')
    await userEvent.click(canvas.getByRole('button', { name: 'Go to the request' }))
    await expect(title).toHaveFocus()
    await expect(canvas.getByRole('textbox')).toHaveValue('And tell the others')
    await expect(onSend).not.toHaveBeenCalled()
  },
}

/** No network: the text stays, and a line says so. */
export const Offline: Story = {
  args: { still: { messages: talk, connection: { phase: 'offline' } } },
}

const deleted = stillBackend({ messages: talk, onSend })

/** The conversation was deleted elsewhere: what is shown stays, what is written stays. */
export const Gone: Story = {
  render: () => <AgentChat backend={deleted} />,
  play: async ({ canvas, userEvent }) => {
    await canvas.findByText(/Shall I do that/)
    deleted.connect({
      phase: 'failed',
      cause: new TransportError('not-found', 'No such session.', { status: 404 }),
    })
    await userEvent.type(await canvas.findByRole('textbox'), 'Then publish it{Enter}')
    await expect(await canvas.findByText(/no longer exists/)).toBeVisible()
    await expect(canvas.getByText(/This conversation was not found/)).toBeVisible()
    await expect(onSend).not.toHaveBeenCalled()
  },
}

/** The connection is lost, and tried again. */
export const Reconnecting: Story = {
  args: {
    still: {
      messages: talk,
      connection: {
        phase: 'waiting',
        retryAt: 0,
        cause: new TransportError('closed', 'The stream ended.'),
      },
    },
  },
}

/** Right to left: the layout follows, code does not. */
export const RightToLeft: Story = {
  args: {
    dir: 'rtl',
    lang: 'ar',
    still: {
      messages: [
        userMsg('لماذا يفشل البناء؟'),
        reply([
          thinking('الخطأ يذكر ملفاً نُقل.'),
          toolCall('Bash', { command: 'npm run build' }),
          toolResult('ok'),
          text('`npm run build` ثم أعد التشغيل.\n\n- أولاً\n- ثانياً\n\n```sh\nnpm test\n```'),
        ]),
      ],
    },
  },
}

/** Chinese words in the interface, Chinese and Latin in the answer. */
export const Chinese: Story = {
  args: {
    words: zh,
    greeting: '今天做什么？',
    still: {
      messages: [
        userMsg('构建为什么失败？'),
        reply([
          thinking('错误提到一个被移动的文件。'),
          toolCall('Bash', { command: 'npm run build' }),
          toolResult('ok'),
          text('**构建失败，**因为 `viewMessage` 被移动了。请先运行 *npm test*，再提交。'),
        ]),
      ],
    },
  },
}

/** Words that fit nowhere, in every place. */
export const LongUnbrokenText: Story = {
  args: {
    still: {
      messages: [
        userMsg('a'.repeat(400)),
        reply([
          thinking('b'.repeat(400)),
          toolCall('c'.repeat(80), { path: 'C:\\very\\long\\path'.repeat(20) }),
          toolResult('d'.repeat(400), { state: 'error' }),
          text(
            `${'e'.repeat(400)}\n\n- ${'f'.repeat(300)}\n\n| ${'g'.repeat(80)} | h |\n| --- | --- |\n| i | j |`,
          ),
          data('application/zip', btoa('zip'), `${'k'.repeat(200)}.zip`),
        ]),
      ],
    },
  },
}

/** On the narrowest screen. */
export const Narrow320: Story = {
  decorators: [
    (Story) => (
      <div className="story-320">
        <Story />
      </div>
    ),
  ],
}

/** A picture in the answer. */
export const WithPicture: Story = {
  args: {
    still: {
      messages: [
        userMsg('Draw the hills'),
        reply([text('Here they are.'), data('image/png', picture, 'hills.png')]),
      ],
    },
  },
}

/** Closer together. */
export const Compact: Story = { args: { density: 'compact' } }

/** Nothing moves. The same happens by itself when the system asks for reduced motion. */
export const ReducedMotion: Story = { args: { ...Thinking.args, motion: 'reduced' } }

/** To be looked at with forced colours switched on (in the browser's rendering tools): every edge and state stays visible. */
export const ForcedColours: Story = { args: { ...WaitingForThePerson.args } }

/** In the dark. */
export const Dark: Story = { globals: { theme: 'dark' } }

/** A question in the dark. */
export const DarkWaiting: Story = {
  args: { ...WaitingForThePerson.args },
  globals: { theme: 'dark' },
}

function WeatherCard({ call }: ToolCallCardProps): ReactElement {
  return <p data-testid="weather">Sunny, says {call?.name}.</p>
}

/** An app's own card for one tool. */
export const OwnToolCard: Story = {
  args: {
    slots: { tools: { get_weather: WeatherCard } },
    still: {
      messages: [
        userMsg('Weather?'),
        reply([toolCall('get_weather', { city: 'Lisbon' }), toolResult('sunny'), text('Sunny.')]),
      ],
    },
  },
  play: async ({ canvas }) => expect(await canvas.findByTestId('weather')).toBeVisible(),
}
