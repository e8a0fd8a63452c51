import type { Meta, StoryObj } from '@storybook/react-vite'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { expect, waitFor } from 'storybook/test'
import { recordingBackend } from '../../src/backends/index.js'
import type { Recording } from '../../src/backends/index.js'
import { AgentChat } from '../../src/components/index.js'
import approval from '../../test/recordings/agentscope-python/ask-approve.json'
import markdown from '../../test/recordings/agentscope-python/markdown-answer.json'
import scripts from '../../test/recordings/agentscope-python/two-turns-cjk.json'
import '../fixtures/stories.css'

interface RecordedProps {
  /** What was recorded. */
  readonly recording: Recording
  /** How fast it is played: 1 is as it was. */
  readonly speed: number
  /** The colours; those of the toolbar by default. */
  readonly theme?: 'inherit' | 'dark'
}

/** A session of the real service, played again. Questions wait for the person, as they did then. */
function Recorded({ recording, speed, theme = 'inherit' }: RecordedProps): ReactElement {
  const [backend] = useState(() => recordingBackend(recording, { speed, interactive: true }))
  return (
    <div className="story-screen">
      <AgentChat backend={backend} theme={theme} />
    </div>
  )
}

const meta = {
  title: 'Recipes/Recorded conversation',
  component: Recorded,
  args: { recording: approval, speed: 20 },
  parameters: { layout: 'fullscreen' },
} satisfies Meta<typeof Recorded>
export default meta

type Story = StoryObj<typeof meta>

/** A tool asks; once it is allowed, the reply goes on to its end. */
export const Default: Story = {
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(
      await canvas.findByRole('button', { name: 'Allow once' }, { timeout: 10_000 }),
    )
    await waitFor(() => expect(canvasElement).toHaveTextContent('the team knows about'), {
      timeout: 10_000,
    })
    await expect(canvas.queryByRole('button', { name: 'Allow once' })).toBeNull()
  },
}

/** A long answer in markdown, as fast as it was written. */
export const MarkdownAnswer: Story = { args: { recording: markdown, speed: 4 } }

/** Chinese, Japanese, Korean and Arabic. */
export const MixedScripts: Story = { args: { recording: scripts } }

/** In the dark. */
export const Dark: Story = { args: { theme: 'dark' } }
