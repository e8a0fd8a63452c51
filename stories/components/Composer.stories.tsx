import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { ComposerForm } from '../../src/components/index.js'

const onSend = fn()
const onStop = fn()
const onSendLater = fn()
const onReview = fn()

const meta = {
  title: 'Components/Composer',
  component: ComposerForm,
  args: { onSend, onStop, mode: 'send', blockedBy: null },
} satisfies Meta<typeof ComposerForm>
export default meta

type Story = StoryObj<typeof meta>

/** Enter sends, Shift+Enter makes a new line, and the field is empty again. */
export const Default: Story = {
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByRole('textbox', { name: 'Message' })
    await userEvent.type(field, 'Two{Shift>}{Enter}{/Shift}lines{Enter}')
    await expect(onSend).toHaveBeenCalledWith('Two\nlines')
    await expect(field).toHaveValue('')
  },
}

/** Nothing written yet: the button is there, and waits. */
export const Empty: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await expect(onSend).not.toHaveBeenCalled()
  },
}

/** While the agent answers, the button stops it; Enter keeps the text and says why. */
export const Streaming: Story = {
  args: { mode: 'stop', blockedBy: 'run' },
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByRole('textbox')
    await userEvent.type(field, 'Next question{Enter}')
    await expect(onSend).not.toHaveBeenCalled()
    await expect(field).toHaveValue('Next question')
    await expect(canvas.getByRole('status')).toHaveTextContent('Wait until the answer is finished')
    await userEvent.click(canvas.getByRole('button', { name: 'Stop' }))
    await expect(onStop).toHaveBeenCalledOnce()
  },
}

/** The text can wait for the end of the answer. */
export const SendLater: Story = {
  args: { mode: 'stop', blockedBy: 'run', onSendLater },
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByRole('textbox')
    await userEvent.type(field, 'Next question{Enter}')
    await userEvent.dblClick(canvas.getByRole('button', { name: 'Send when the answer is done' }))
    await expect(onSendLater).toHaveBeenCalledOnce()
    await expect(onSendLater).toHaveBeenCalledWith('Next question')
    await expect(field).toHaveValue('')
    await expect(field).toHaveFocus()
  },
}

/** The same, as it stands there. */
export const SendLaterOffered: Story = {
  args: { mode: 'stop', blockedBy: 'run', onSendLater },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByRole('textbox'), 'Next question{Enter}')
    await expect(canvas.getByRole('button', { name: 'Send when the answer is done' })).toBeVisible()
  },
}

/** The stop is on its way. */
export const Stopping: Story = { args: { mode: 'stopping', blockedBy: 'run' } }

/** Something waits for the person. */
export const WaitingForThePerson: Story = {
  args: { mode: 'stop', blockedBy: 'request', defaultText: 'And then deploy it', onReview },
  play: async ({ canvas, userEvent }) => {
    const field = canvas.getByRole('textbox')
    await expect(field).toHaveAccessibleDescription(/Answer the request above first/)
    await userEvent.click(canvas.getByRole('button', { name: 'Go to the request' }))
    await expect(onReview).toHaveBeenCalledOnce()
    await userEvent.click(canvas.getByRole('button', { name: 'Stop the agent' }))
    await expect(onStop).toHaveBeenCalledOnce()
    await expect(field).toHaveValue('And then deploy it')
  },
}

/** The same in the dark. */
export const WaitingForThePersonDark: Story = {
  args: WaitingForThePerson.args ?? {},
  globals: { theme: 'dark' },
}

/** A tool of the app has to finish first. */
export const WaitingForTheApp: Story = {
  args: { mode: 'stop', blockedBy: 'tool', defaultText: 'And then deploy it' },
}

/** No network. */
export const Offline: Story = { args: { blockedBy: 'offline', defaultText: 'Hello' } }

/** The connection is given up. */
export const Failed: Story = { args: { blockedBy: 'failure', defaultText: 'Hello' } }

/** The conversation was deleted. */
export const Gone: Story = {
  args: { blockedBy: 'gone', defaultText: 'Hello' },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('status')).toHaveTextContent('no longer exists')
    await expect(canvas.getByRole('button', { name: 'Send' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  },
}

/** The same in the dark. */
export const GoneDark: Story = { args: Gone.args ?? {}, globals: { theme: 'dark' } }

/** Files can be added; one of a kind that the agent does not take is named. */
export const Attachments: Story = {
  args: { accept: ['image/*'] },
  play: async ({ canvas, canvasElement, userEvent }) => {
    const picker = canvasElement.querySelector('input[type=file]')
    if (!(picker instanceof HTMLInputElement)) throw new Error('No picker.')
    const picture = new File(['x'], 'cat.png', { type: 'image/png' })
    await userEvent.upload(picker, [picture])
    await expect(canvas.getByText('cat.png')).toBeVisible()
    await userEvent.type(canvas.getByRole('textbox'), 'What is this?')
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await expect(onSend).toHaveBeenCalledWith([
      expect.objectContaining({ type: 'data', name: 'cat.png' }),
      { type: 'text', text: 'What is this?' },
    ])
  },
}

/** Long text grows the field to 40 % of the height, then scrolls. */
export const Long: Story = { args: { defaultText: 'One line after the other.\n'.repeat(60) } }

/** A word that fits nowhere. */
export const LongUnbrokenText: Story = { args: { defaultText: 'a'.repeat(400) } }

/** The direction follows what is typed. */
export const RightToLeft: Story = { args: { defaultText: 'مرحبا، كيف حالك؟' } }

/** In the dark. */
export const Dark: Story = { args: { defaultText: 'Good evening' }, globals: { theme: 'dark' } }
