import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentChat, Composer, ComposerForm } from '../../src/components/index.js'
import type { ComposerFormProps } from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import { asking, openText, replyStart } from '../../stories/fixtures/events.js'
import { toolCall } from '../../stories/fixtures/blocks.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { atOnce, inChat, say, settled } from './inChat.js'

function show(props: Partial<ComposerFormProps> = {}) {
  const onSend = vi.fn<ComposerFormProps['onSend']>()
  const onStop = vi.fn<() => void>()
  render(<ComposerForm onSend={onSend} onStop={onStop} {...props} />)
  return { onSend, onStop, field: screen.getByRole('textbox', { name: 'Message' }) }
}

/** What a browser sends for a key; `keyCode` is what tells an input method's keys in Safari. */
function press(
  field: HTMLElement,
  key: string,
  more: KeyboardEventInit & { keyCode?: number } = {},
): boolean {
  return fireEvent.keyDown(field, { key, keyCode: key === 'Enter' ? 13 : 0, ...more })
}

describe('<ComposerForm>', () => {
  it('leaves Enter to an input method (Chrome: composing)', () => {
    const { field, onSend } = show({ defaultText: '你' })
    fireEvent.compositionStart(field)
    press(field, 'Enter', { isComposing: true, keyCode: 229 })
    fireEvent.compositionEnd(field)
    expect(onSend).not.toHaveBeenCalled()
    press(field, 'Enter')
    expect(onSend).toHaveBeenCalledWith('你')
  })

  it('leaves Enter to an input method (Safari: the composition is over, the key code tells)', () => {
    const { field, onSend } = show({ defaultText: '你' })
    fireEvent.compositionStart(field)
    fireEvent.compositionEnd(field)
    press(field, 'Enter', { isComposing: false, keyCode: 229 })
    expect(onSend).not.toHaveBeenCalled()
  })

  it('makes a new line with Shift', () => {
    const { field, onSend } = show({ defaultText: 'one' })
    expect(press(field, 'Enter', { shiftKey: true })).toBe(true)
    expect(onSend).not.toHaveBeenCalled()
  })

  it('sends with Mod+Enter only, when asked to', () => {
    const { field, onSend } = show({ defaultText: 'one', submitKey: 'mod-enter' })
    expect(press(field, 'Enter')).toBe(true)
    expect(onSend).not.toHaveBeenCalled()
    press(field, 'Enter', { metaKey: true })
    expect(onSend).toHaveBeenCalledWith('one')
  })

  it('leaves Enter to a touch keyboard, where it is a new line', () => {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('coarse') }))
    const { field, onSend } = show({ defaultText: 'one' })
    expect(press(field, 'Enter')).toBe(true)
    expect(onSend).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  it('needs no CSS object, which jsdom lacks', () => {
    vi.stubGlobal('CSS', undefined)
    const { field, onSend } = show({ defaultText: 'Hello' })
    press(field, 'Enter')
    expect(onSend).toHaveBeenCalledWith('Hello')
    vi.unstubAllGlobals()
  })

  it('does nothing on other keys of an input method', () => {
    const { field, onStop } = show({ mode: 'stop', blockedBy: 'run' })
    press(field, 'Escape', { keyCode: 229 })
    press(field, 'ArrowUp', { keyCode: 229 })
    expect(onStop).not.toHaveBeenCalled()
  })

  it('sends once while Enter is held, and nothing but blanks never', () => {
    const { field, onSend } = show({ defaultText: ' \n ' })
    press(field, 'Enter')
    expect(onSend).not.toHaveBeenCalled()
    fireEvent.change(field, { target: { value: 'one' } })
    press(field, 'Enter')
    press(field, 'Enter', { repeat: true })
    expect(onSend).toHaveBeenCalledOnce()
    expect(field).toHaveValue('')
  })

  it.each([
    ['request', /Answer the request above first/],
    ['offline', /You are offline/],
    ['failure', /Not connected/],
  ] as const)(
    'says why it cannot send (%s), keeps the text, and stays editable',
    (blockedBy, why) => {
      const { field, onSend } = show({ blockedBy, defaultText: 'kept' })
      expect(screen.getByRole('status')).toHaveTextContent(why)
      expect(field).toHaveAccessibleDescription(why)
      press(field, 'Enter')
      expect(onSend).not.toHaveBeenCalled()
      expect(field).toHaveValue('kept')
      expect(field).toBeEnabled()
      expect(field).not.toHaveAttribute('readonly')
    },
  )

  it.each(['request', 'offline', 'failure'] as const)(
    'tells only assistive technology why (%s) while there is no text',
    (blockedBy) => {
      const { field } = show({ blockedBy })
      expect(screen.getByRole('status')).toHaveClass('as-sr-only')
      fireEvent.change(field, { target: { value: 'one' } })
      expect(screen.getByRole('status')).not.toHaveClass('as-sr-only')
    },
  )

  it('tells each change of its text, and that it is empty before it tells what to send', () => {
    const told: string[] = []
    const { field } = show({
      defaultText: 'one',
      onTextChange: (text) => told.push(text),
      onSend: () => told.push('sent'),
    })
    expect(told).toEqual([])
    fireEvent.change(field, { target: { value: 'one two' } })
    press(field, 'Enter')
    expect(told).toEqual(['one two', '', 'sent'])
  })

  it('does not stop with the second click of a double click on send', () => {
    const onSend = vi.fn<ComposerFormProps['onSend']>()
    const onStop = vi.fn<() => void>()
    const { rerender } = render(<ComposerForm onSend={onSend} onStop={onStop} defaultText="one" />)
    fireEvent.click(screen.getByRole('button', { name: 'Send' }), { detail: 1 })
    rerender(<ComposerForm onSend={onSend} onStop={onStop} mode="stop" blockedBy="run" />)
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }), { detail: 2 })
    expect(onStop).not.toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }), { detail: 1 })
    expect(onStop).toHaveBeenCalledOnce()
  })
})

describe('<ComposerForm> attachments', () => {
  const created: string[] = []
  const revoked: string[] = []
  beforeEach(() => {
    created.length = 0
    revoked.length = 0
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: () => {
          created.push(`blob:${String(created.length)}`)
          return created.at(-1)
        },
        revokeObjectURL: (url: string) => revoked.push(url),
      }),
    )
  })
  afterEach(() => vi.unstubAllGlobals())

  const png = (name: string): File => new File([name], name, { type: 'image/png' })
  async function add(...files: readonly File[]): Promise<void> {
    await userEvent.upload(
      screen.getByLabelText('Attach a file', { selector: 'input' }),
      [...files],
      {
        applyAccept: false,
      },
    )
  }

  it('offers no files where the backend takes none', () => {
    show()
    expect(screen.queryByRole('button', { name: 'Attach a file' })).toBeNull()
  })

  it('lets go of each preview once: removed, sent, unmounted', async () => {
    const onSend = vi.fn<ComposerFormProps['onSend']>()
    const { unmount } = render(<ComposerForm onSend={onSend} accept={['image/*']} />, {
      wrapper: StrictMode,
    })
    await add(png('a.png'), png('b.png'), png('c.png'))
    await userEvent.click(screen.getByRole('button', { name: 'Remove b.png' }))
    expect(revoked).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await vi.waitFor(() => expect(onSend).toHaveBeenCalledOnce())
    await add(png('d.png'))
    unmount()
    expect(revoked.toSorted()).toEqual(created.toSorted())
    expect(onSend.mock.calls[0]?.[0]).toEqual([
      {
        type: 'data',
        name: 'a.png',
        source: { type: 'base64', media_type: 'image/png', data: btoa('a.png') },
      },
      {
        type: 'data',
        name: 'c.png',
        source: { type: 'base64', media_type: 'image/png', data: btoa('c.png') },
      },
    ])
  })

  it('names a file of a kind that is not taken', async () => {
    show({ accept: ['image/*'] })
    await add(new File(['x'], 'song.mp3', { type: 'audio/mpeg' }))
    expect(screen.getByRole('status')).toHaveTextContent('song.mp3 can’t be attached')
    expect(screen.queryByRole('listitem')).toBeNull()
  })

  it('takes a pasted picture, but the text when there is text beside it', () => {
    const { field } = show({ accept: ['image/*'] })
    const paste = (types: readonly string[]): boolean =>
      fireEvent.paste(field, { clipboardData: { files: [png('shot.png')], types } })
    expect(paste(['text/plain', 'Files'])).toBe(true)
    expect(screen.queryByText('shot.png')).toBeNull()
    expect(paste(['Files'])).toBe(false)
    expect(screen.getByText('shot.png')).toBeVisible()
  })
})

describe('<Composer>', () => {
  it('sends, and stops what runs', async () => {
    const onSend = vi.fn<() => void>()
    const onInterrupt = vi.fn<() => void>()
    const backend = stillBackend({ onSend, onInterrupt })
    render(inChat(backend, <Composer />))
    await settled()
    await userEvent.type(screen.getByRole('textbox'), 'Hello{Enter}')
    expect(onSend).toHaveBeenCalledOnce()
    await say(backend, replyStart(), ...openText('Hi'))
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }))
    expect(onInterrupt).toHaveBeenCalledOnce()
    expect(screen.getByRole('button', { name: 'Stopping' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  })

  it('waits while something waits for the person', async () => {
    const backend = stillBackend({ inputs: [replyStart(), ...asking([toolCall('f', {})])] })
    render(inChat(backend, <Composer />))
    await settled()
    expect(screen.getByRole('status')).toHaveTextContent('Answer the request above first')
  })

  it.each([
    [true, ['Stop', 'Stop the agent']],
    ['running', ['Send']],
    [false, ['Send']],
  ] as const)('stops what waits only where it can be (%s)', async (interrupt, offered) => {
    const inputs = [replyStart(), ...asking([toolCall('f', {})])]
    render(inChat(stillBackend({ inputs, capabilities: { interrupt } }), <Composer />))
    await settled()
    await userEvent.type(screen.getByRole('textbox'), 'but')
    const names = screen.getAllByRole('button').map((one) => one.title || one.textContent)
    expect(names).toEqual(offered)
  })

  it('stops what runs where nothing that waits can be', async () => {
    const inputs = [replyStart(), ...openText('Hi')]
    render(inChat(stillBackend({ inputs, capabilities: { interrupt: 'running' } }), <Composer />))
    await settled()
    expect(screen.getByRole('button', { name: 'Stop' })).toBeEnabled()
  })

  it.each([
    [{ phase: 'offline' }, /You are offline/],
    [{ phase: 'failed', cause: new TransportError('unauthorized', '401') }, /Not connected/],
  ] as const)('says why while the connection is %o', async (connection, why) => {
    render(inChat(stillBackend({ connection }), <Composer />))
    await settled()
    expect(screen.getByRole('status')).toHaveTextContent(why)
  })

  it('starts anew with another conversation', async () => {
    const { rerender } = render(<AgentChat options={atOnce} backend={stillBackend()} />)
    await settled()
    await userEvent.type(screen.getByRole('textbox'), 'for the first')
    rerender(<AgentChat options={atOnce} backend={stillBackend()} />)
    await settled()
    expect(screen.getByRole('textbox')).toHaveValue('')
  })
})
