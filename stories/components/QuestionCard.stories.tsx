import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { QuestionForm, ToolCallCard } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import { toolCall, toolResult } from '../fixtures/blocks.js'
import { askUser, channels, inputRequest } from '../fixtures/questions.js'

const onAnswer = fn()
const onRetry = fn()

const release = {
  question_id: 'q1',
  question: 'Where should version 2.4 go?',
  context: 'The tests passed. **Beta** has had no release for a month.',
  options: channels,
}
const batch = { batch_id: 'b1', batch_total: 2 }

function answered(id: string, text: string) {
  return expect.objectContaining({ option: expect.objectContaining({ id }), text })
}

const meta = {
  title: 'Components/QuestionCard',
  component: QuestionForm,
  args: { request: askUser(release), send: null, onAnswer, onRetry },
} satisfies Meta<typeof QuestionForm>
export default meta

type Story = StoryObj<typeof meta>

/** The question, what to know about it, and the answers. */
export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(
      canvas.getByRole('radiogroup', { name: 'Where should version 2.4 go?' }),
    ).toBeVisible()
    await expect(canvas.getByRole('button', { name: 'Send answer' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  },
}

/** An option, chosen with the arrow keys and sent with Enter from where the focus is. */
export const ChosenByKey: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('radio', { name: /Stable/ }))
    await userEvent.keyboard('{ArrowDown}')
    await expect(canvas.getByRole('radio', { name: /Beta/ })).toBeChecked()
    await expect(onAnswer).not.toHaveBeenCalled()
    await userEvent.keyboard('{Enter}')
    await expect(onAnswer).toHaveBeenCalledWith(
      expect.objectContaining({ given: [answered('beta', '')] }),
    )
  },
}

/** An option with a note beside it. */
export const OptionWithNote: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('radio', { name: /Beta/ }))
    await userEvent.type(
      canvas.getByRole('textbox', { name: 'Add a note (optional)' }),
      'Until Friday',
    )
    await userEvent.click(canvas.getByRole('button', { name: 'Send answer' }))
    await expect(onAnswer).toHaveBeenCalledWith(
      expect.objectContaining({ given: [answered('beta', 'Until Friday')] }),
    )
  },
}

/** None of the options: an answer in the person's own words. */
export const OwnWords: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('radio', { name: /Beta/ }))
    await userEvent.click(canvas.getByRole('radio', { name: 'Something else' }))
    await expect(canvas.getByRole('button', { name: 'Send answer' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await userEvent.type(
      canvas.getByRole('textbox', { name: 'Answer in your own words' }),
      'Ask Ana first{Enter}',
    )
    await expect(onAnswer).toHaveBeenCalledWith(
      expect.objectContaining({
        given: [expect.objectContaining({ option: null, text: 'Ask Ana first' })],
        isDismissed: false,
      }),
    )
  },
}

/** No answer at all is an answer too. */
export const Dismissing: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Dismiss' }))
    await expect(onAnswer).toHaveBeenCalledWith(expect.objectContaining({ isDismissed: true }))
  },
}

/** A question without options. */
export const Free: Story = {
  args: { request: askUser({ question: 'What should the release be called?' }) },
}

/** One of two that were asked together. */
export const FirstOfTwo: Story = {
  args: { request: askUser({ ...release, ...batch, batch_index: 1 }) },
}

/** Several in one call: they go out together. */
export const TwoInOneCall: Story = {
  args: {
    request: askUser({
      questions: [release, { question: 'What should it be called?' }],
    }),
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('radio', { name: /Beta/ }))
    const send = canvas.getByRole('button', { name: 'Send answer' })
    await expect(send).toHaveAttribute('aria-disabled', 'true')
    await userEvent.type(
      canvas.getByRole('textbox', { name: 'Answer in your own words' }),
      'Ada{Enter}',
    )
    await expect(onAnswer).toHaveBeenCalledWith(
      expect.objectContaining({
        given: [answered('beta', ''), expect.objectContaining({ text: 'Ada' })],
      }),
    )
  },
}

/** The server took the answer, and waits for the others. */
export const Answered: Story = {
  args: {
    request: askUser({ ...release, ...batch, batch_index: 1 }),
    send: { phase: 'sent' },
  },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('Answered')
    await userEvent.click(canvas.getByRole('button', { name: 'Dismiss' }))
    await expect(onAnswer).not.toHaveBeenCalled()
  },
}

/** It is on its way. */
export const Sending: Story = { args: { send: { phase: 'sending' } } }

/** It goes out together with the other answers, and can still be changed. */
export const Held: Story = {
  args: {
    request: askUser({ ...release, ...batch, batch_index: 2 }),
    send: { phase: 'held' },
  },
}

/** It was not taken: the same can be sent again. */
export const Failed: Story = {
  args: { send: { phase: 'failed', error: new TransportError('server', '500'), isSure: true } },
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('Your answer was not sent.')
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(onRetry).toHaveBeenCalledOnce()
  },
}

/** A sub-agent asks. */
export const AskedByWorker: Story = {
  args: {
    request: {
      ...askUser(release),
      worker: { sessionId: 's2', agentId: 'a2', agentName: 'Researcher' },
    },
  },
}

/** A page to visit: where it goes stands beside the link, whole. */
export const Page: Story = {
  args: {
    request: inputRequest({
      kind: 'url',
      message: 'Sign in to the calendar, then continue.',
      url: 'https://accounts.example.com/consent?client=friday&scope=calendar.read',
    }),
  },
  play: async ({ canvas, userEvent }) => {
    const link = canvas.getByRole('link', { name: 'Open accounts.example.com' })
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    await userEvent.click(canvas.getByRole('button', { name: 'Continue' }))
    await expect(onAnswer).toHaveBeenCalledWith(expect.objectContaining({ isDismissed: false }))
  },
}

/** A page that would run something is shown as text. */
export const PageThatRuns: Story = {
  args: {
    request: inputRequest({ kind: 'url', message: 'Continue here.', url: 'javascript:alert(1)' }),
  },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

/** A form: a free answer. */
export const Form: Story = {
  args: {
    request: inputRequest({
      kind: 'form',
      message: 'Which people should be invited?',
      schema: { type: 'object', properties: { people: { type: 'array' } } },
    }),
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('textbox', { name: 'Answer in your own words' })).toBeVisible()
  },
}

/** Arguments in which no question can be found are shown as they are, and can be answered. */
export const Unreadable: Story = { args: { request: askUser({ topic: 'release', urgency: 2 }) } }

/** Words that fit nowhere. */
export const LongText: Story = {
  args: {
    request: askUser({
      question: `Which of these should I keep, given that ${'the list is long and '.repeat(8)}you know best?`,
      options: [
        { id: 'a', label: 'x'.repeat(120), description: 'A name without end. '.repeat(6) },
        { id: 'b', label: '保留所有文件，包括测试数据' },
      ],
      batch_index: 1,
      batch_total: 12,
    }),
  },
}

/** From right to left. */
export const RightToLeft: Story = {
  args: {
    request: askUser({
      question: 'إلى أين نرسل الإصدار 2.4؟',
      context: 'نجحت الاختبارات كلها.',
      options: [
        { id: 'a', label: 'المستقر', description: 'يصل إلى الجميع اليوم.' },
        { id: 'b', label: 'Beta' },
      ],
    }),
  },
  decorators: [(Story) => <div dir="rtl">{Story()}</div>],
  play: async ({ canvas }) => {
    const [first] = canvas.getAllByRole('radio')
    const words = canvas.getByText('المستقر')
    await expect(first?.getBoundingClientRect().x).toBeGreaterThan(words.getBoundingClientRect().x)
  },
}

/** In the dark. */
export const Dark: Story = { globals: { theme: 'dark' } }

/** What stays in the conversation after an answer. */
export const AfterAnswer: Story = {
  render: () => (
    <ToolCallCard
      call={toolCall('ask_user', release)}
      result={toolResult('Beta\nUntil Friday', {
        metadata: { selected_option_id: 'beta', text: 'Until Friday' },
      })}
    />
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Where should version 2.4 go?')).toBeVisible()
    await expect(canvas.getByText(/Until Friday/)).toBeVisible()
  },
}

/** What stays after no answer. */
export const AfterDismissal: Story = {
  render: () => (
    <ToolCallCard
      call={toolCall('ask_user', release)}
      result={toolResult('The question was dismissed without an answer.', {
        metadata: { dismissed: true },
      })}
    />
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Dismissed without an answer')).toBeVisible()
  },
}
