import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { DataBlockView } from '../../src/components/index.js'
import { data, remote, tone } from '../fixtures/blocks.js'
import { picture } from '../fixtures/picture.js'

const meta = {
  title: 'Components/DataBlockView',
  component: DataBlockView,
  args: { block: data('image/png', picture, 'hills.png'), isStreaming: false },
} satisfies Meta<typeof DataBlockView>
export default meta

type Story = StoryObj<typeof meta>

/** A picture that came inline. Its place is kept before it is decoded. */
export const Default: Story = {
  play: async ({ canvas }) => {
    const image = await canvas.findByRole('img', { name: 'hills.png' })
    await expect(image).toHaveAttribute('src', expect.stringMatching(/^blob:/))
    await expect(image).toHaveAttribute('height', '220')
  },
}

/** A sound. */
export const Audio: Story = { args: { block: data('audio/wav', tone(), 'answer.wav') } }

/** Its bytes are still arriving: only their size is told. */
export const Streaming: Story = {
  args: { block: data('audio/wav', tone(), 'answer.wav'), isStreaming: true },
  play: async ({ canvas }) => expect(canvas.getByText(/Receiving/)).toBeVisible(),
}

/** Any other file can be saved. */
export const File: Story = {
  args: { block: data('application/pdf', btoa('%PDF-1.4'), 'report.pdf') },
  play: async ({ canvas }) => {
    const link = await canvas.findByRole('link', { name: 'Download: report.pdf' })
    await expect(link).toHaveAttribute('download', 'report.pdf')
  },
}

/** SVG and HTML could run in the page: they are files. */
export const HostileType: Story = {
  args: { block: data('image/svg+xml', btoa('<svg onload="alert(1)"/>'), 'logo.svg') },
  play: async ({ canvas }) => expect(canvas.queryByRole('img')).toBeNull(),
}

/** A picture elsewhere loads only when the reader asks. */
export const WaitingForThePerson: Story = {
  args: { block: remote('image/png', 'https://images.example/cat.png', 'cat.png') },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('img')).toBeNull()
    await expect(
      canvas.getByRole('button', { name: 'cat.png · Load from images.example' }),
    ).toBeVisible()
  },
}

/** An address that may never load. */
export const Blocked: Story = {
  args: { block: remote('image/png', 'javascript:alert(1)', 'cat.png') },
  play: async ({ canvas }) => expect(canvas.getByText(/Blocked/)).toBeVisible(),
}

/** Bytes that are no picture. */
export const Unreadable: Story = {
  args: { block: data('image/png', btoa('not a picture'), 'broken.png') },
  play: async ({ canvas }) => expect(await canvas.findByText(/can’t show this/)).toBeVisible(),
}

/** A name that fits nowhere. */
export const LongUnbrokenText: Story = {
  args: { block: data('application/zip', btoa('zip'), `${'backup-of-everything'.repeat(12)}.zip`) },
}

/** In the dark. */
export const Dark: Story = {
  args: { block: data('application/pdf', btoa('%PDF-1.4'), 'report.pdf') },
  globals: { theme: 'dark' },
}
