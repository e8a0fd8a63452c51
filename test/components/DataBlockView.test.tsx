import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChatRoot, DataBlockView } from '../../src/components/index.js'
import { createUrlPolicy } from '../../src/policy/index.js'
import { data, remote } from '../../stories/fixtures/blocks.js'
import { picture } from '../../stories/fixtures/picture.js'

// jsdom has no object URLs: these keep the books.
const created: string[] = []
const revoked: string[] = []
const types: string[] = []
beforeEach(() => {
  created.length = 0
  revoked.length = 0
  types.length = 0
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        const url = `blob:${String(created.length)}`
        created.push(url)
        types.push(blob.type)
        return url
      },
      revokeObjectURL: (url: string) => revoked.push(url),
    }),
  )
})
afterEach(() => vi.unstubAllGlobals())

describe('<DataBlockView>', () => {
  it('shows a picture, with the place it will take', () => {
    render(<DataBlockView block={data('image/png', picture, 'hills.png')} />)
    const image = screen.getByRole('img', { name: 'hills.png' })
    expect(image).toHaveAttribute('src', 'blob:0')
    expect(image).toHaveAttribute('width', '360')
    expect(image).toHaveAttribute('height', '220')
  })

  it('revokes every object URL once, also under StrictMode', () => {
    const block = data('image/png', picture)
    const { rerender, unmount } = render(<DataBlockView block={block} />, { wrapper: StrictMode })
    rerender(<DataBlockView block={data('image/png', picture.slice(0, 400))} />)
    unmount()
    expect(created.length).toBeGreaterThan(1)
    expect(revoked.toSorted()).toEqual(created.toSorted())
  })

  it('shares one URL when the same bytes are shown twice', () => {
    const block = data('image/png', picture)
    const { unmount } = render(
      <>
        <DataBlockView block={block} />
        <DataBlockView block={block} />
      </>,
    )
    expect(created).toHaveLength(1)
    unmount()
    expect(revoked).toEqual(created)
  })

  it('makes no URL while bytes are still arriving', () => {
    const { rerender } = render(<DataBlockView block={data('audio/wav', 'AAAA')} isStreaming />)
    expect(created).toHaveLength(0)
    expect(screen.getByText(/Receiving/)).toBeVisible()
    rerender(<DataBlockView block={data('audio/wav', 'AAAAAAAA')} />)
    expect(created).toHaveLength(1)
    expect(screen.getByLabelText('Audio')).toHaveAttribute('src', 'blob:0')
  })

  it.each(['image/svg+xml', 'text/html', 'application/xhtml+xml', 'nonsense', ''])(
    'offers %j as a file that cannot run here',
    (type) => {
      render(<DataBlockView block={data(type, btoa('<script>'), 'x')} />)
      expect(screen.queryByRole('img')).toBeNull()
      expect(screen.getByRole('link', { name: 'Download: x' })).toHaveAttribute('download', 'x')
      expect(types).toEqual(['application/octet-stream'])
    },
  )

  it('says so when the bytes cannot be read', () => {
    render(<DataBlockView block={data('image/png', 'not base64!', 'x.png')} />)
    expect(screen.getByText(/can’t show this/)).toBeVisible()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('loads what is elsewhere only when the reader asks', async () => {
    render(<DataBlockView block={remote('image/png', 'https://x.example/a.png', 'a.png')} />)
    expect(screen.queryByRole('img')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'a.png · Load from x.example' }))
    expect(screen.getByRole('img')).toHaveAttribute('src', 'https://x.example/a.png')
  })

  it('asks before loading from elsewhere also while its message is still being written', () => {
    const { container } = render(
      <DataBlockView block={remote('image/png', 'https://example.com/a.png')} isStreaming />,
    )
    expect(container.querySelector('img')).toBeNull()
    expect(screen.getByRole('button', { name: /example\.com/ })).toBeInTheDocument()
  })

  it('asks again when the address changes', async () => {
    const { rerender } = render(
      <DataBlockView block={remote('image/png', 'https://x.example/a.png')} />,
    )
    await userEvent.click(screen.getByRole('button'))
    rerender(<DataBlockView block={remote('image/png', 'https://evil.example/?q=secret')} />)
    expect(screen.queryByRole('img')).toBeNull()
  })

  it('loads at once what the app’s policy allows', () => {
    const urlPolicy = createUrlPolicy({ mediaHosts: ['x.example'] })
    render(
      <ChatRoot urlPolicy={urlPolicy}>
        <DataBlockView block={remote('image/png', 'https://x.example/a.png')} />
      </ChatRoot>,
    )
    expect(screen.getByRole('img')).toBeVisible()
  })

  it.each(['javascript:alert(1)', 'data:text/html,<script>', 'file:///etc/passwd'])(
    'never loads or links %s',
    (url) => {
      render(
        <>
          <DataBlockView block={remote('image/png', url, 'picture')} />
          <DataBlockView block={remote('application/pdf', url, 'paper')} />
        </>,
      )
      expect(screen.queryByRole('img')).toBeNull()
      expect(screen.queryByRole('link')).toBeNull()
      expect(screen.getAllByText(/Blocked/)).toHaveLength(2)
    },
  )
})
