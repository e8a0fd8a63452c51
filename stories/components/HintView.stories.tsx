import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { HintView } from '../../src/components/index.js'
import { data, hint, text } from '../fixtures/blocks.js'
import { picture } from '../fixtures/picture.js'

const meta = {
  title: 'Components/HintView',
  component: HintView,
  args: {
    block: hint(
      '<system-reminder>The plan has **two** open tasks.</system-reminder>',
      '{"label":"System","sublabel":"Reminder"}',
    ),
  },
} satisfies Meta<typeof HintView>
export default meta

type Story = StoryObj<typeof meta>

/** What the agent was told by the system, as one line. The wrapper is not shown. */
export const Default: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: /System.*Reminder/ }))
    await expect(canvas.getByText(/open tasks/)).toBeVisible()
    await expect(canvasElement).not.toHaveTextContent('system-reminder')
  },
}

/** A message of a team member. */
export const TeamMessage: Story = {
  args: {
    block: hint(
      'The data is ready in `/data/out.csv`.',
      '{"label":"team","sublabel":"Researcher"}',
    ),
    defaultOpen: true,
  },
}

/** The sender is plain text. */
export const PlainSource: Story = { args: { block: hint('Lunch at noon.', 'calendar') } }

/** Something put in while the agent worked, by its kind: one line says what. */
export const Injected: Story = {
  args: {
    block: hint(
      'The tests finished in the background: 214 passed, none failed, in two minutes and twelve seconds on four cores.\n\nThe report is in `out/report.html`.',
      '{"label":"background_command","kind":"background_command"}',
    ),
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: /Background command.*214 passed/ }))
    await expect(canvas.getByText(/The report is in/)).toBeVisible()
  },
}

/** The system says something about the run. */
export const SystemMessage: Story = {
  args: { block: hint('The limit of 30 steps was reached.', 'system') },
}

/** Nobody is named. */
export const WithoutSource: Story = { args: { block: hint('Answer briefly.') } }

/** A hint with a picture. */
export const WithPicture: Story = {
  args: {
    block: hint([text('The view:'), data('image/png', picture, 'hills.png')]),
    defaultOpen: true,
  },
}

/** In the dark. */
export const Dark: Story = { args: { defaultOpen: true }, globals: { theme: 'dark' } }
