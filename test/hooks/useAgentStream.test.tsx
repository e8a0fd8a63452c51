import { act, render, screen } from '@testing-library/react'
import { StrictMode, useState } from 'react'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { AgentStreamProvider, useAgentStream, usePhase } from '../../src/hooks/index.js'
import type { AgentStream } from '../../src/hooks/index.js'
import type { AgentBackend } from '../../src/protocol/index.js'
import { getTextContent } from '../../src/protocol/index.js'
import type { ChatOptions } from '../../src/store/index.js'
import type { ScriptedBackend } from '../store/createScriptedBackend.js'
import { createScriptedBackend } from '../store/createScriptedBackend.js'
import { textReply, userMessage } from '../store/events.js'

interface ChatProps {
  readonly backend?: AgentBackend
  readonly options?: ChatOptions
  readonly onStream?: (stream: AgentStream) => void
}

function Chat({ backend, options, onStream }: ChatProps): ReactElement {
  const stream = useAgentStream(backend, options)
  onStream?.(stream)
  return (
    <section>
      <p data-testid="phase">{stream.phase}</p>
      <p data-testid="texts">{stream.messages.map((m) => getTextContent(m)).join('|')}</p>
    </section>
  )
}

function Phase(): ReactElement {
  return <p data-testid="phase">{usePhase()}</p>
}

/** Opens the stream and lets history come. */
async function connect(backend: ScriptedBackend): Promise<void> {
  await act(async () => {
    backend.setConnection({ phase: 'open' })
  })
}

async function emit(backend: ScriptedBackend, ...texts: readonly string[]): Promise<void> {
  await act(async () => {
    backend.emit(...texts.flatMap((text) => textReply(`reply-${text}`, text)))
  })
}

/** Waits for what is deferred by one macrotask. */
async function nextTask(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)))
}

describe('useAgentStream', () => {
  it('gives messages, phase and commands without a provider', async () => {
    const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
    let stream: AgentStream | undefined
    render(<Chat backend={backend} onStream={(latest) => (stream = latest)} />)
    expect(screen.getByTestId('phase')).toHaveTextContent('loading')
    await connect(backend)
    expect(screen.getByTestId('phase')).toHaveTextContent('idle')
    expect(screen.getByTestId('texts')).toHaveTextContent('Hi')
    await act(async () => stream?.send('How are you?'))
    expect(screen.getByTestId('phase')).toHaveTextContent('streaming')
    await emit(backend, 'Fine')
    expect(screen.getByTestId('texts')).toHaveTextContent('Hi|How are you?|Fine')
    expect(stream?.usage.input_tokens).toBe(10)
    expect(stream?.sendBlock).toBeNull()
  })

  it('opens one connection in StrictMode, and closes it when it goes', async () => {
    const backend = createScriptedBackend()
    const { unmount } = render(
      <StrictMode>
        <Chat backend={backend} />
      </StrictMode>,
    )
    await connect(backend)
    await nextTask()
    expect([backend.opened, backend.openNow]).toEqual([1, 1])
    expect(backend.reads).toHaveLength(1)
    unmount()
    await nextTask()
    expect([backend.opened, backend.openNow]).toEqual([1, 0])
  })

  it('keeps its connection when the backend is made anew with each render', async () => {
    const first = createScriptedBackend()
    const second = createScriptedBackend()
    let stream: AgentStream | undefined
    const onStream = (latest: AgentStream): void => {
      stream = latest
    }
    const { rerender } = render(<Chat backend={first} onStream={onStream} />)
    await connect(first)
    const store = stream?.store
    rerender(<Chat backend={second} onStream={onStream} />)
    await nextTask()
    expect(stream?.store).toBe(store)
    expect([first.openNow, second.opened]).toEqual([1, 0])
    await act(async () => stream?.send('Hi'))
    expect([first.sent.length, second.sent.length]).toEqual([0, 1])
  })

  it('changes the conversation with the key', async () => {
    const first = createScriptedBackend({ key: 'one', stored: [userMessage('u1', 'One')] })
    const second = createScriptedBackend({ key: 'two', stored: [userMessage('u2', 'Two')] })
    const { rerender } = render(<Chat backend={first} />)
    await connect(first)
    rerender(<Chat backend={second} />)
    expect(screen.getByTestId('texts')).toBeEmptyDOMElement()
    await connect(second)
    await nextTask()
    expect(screen.getByTestId('texts')).toHaveTextContent('Two')
    expect([first.openNow, second.openNow]).toEqual([0, 1])
  })

  it('calls the taps of the latest render, each event once', async () => {
    const calls: string[] = []
    const backend = createScriptedBackend()
    const options = (name: string): ChatOptions => ({
      onEvent: ({ type }) => calls.push(`${name} ${type}`),
    })
    const { rerender } = render(<Chat backend={backend} options={options('old')} />)
    await connect(backend)
    rerender(<Chat backend={backend} options={options('new')} />)
    await emit(backend, 'Hello')
    expect(calls).toEqual(textReply('r', '').map(({ type }) => `new ${type}`))
    expect(backend.opened).toBe(1)
  })

  it('renders on the server without connecting', () => {
    const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
    const html = renderToString(<Chat backend={backend} />)
    expect(html).toContain('loading')
    expect(backend.opened).toBe(0)
  })

  it('says which component is missing when there is no conversation', () => {
    const silence = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => render(<Chat />)).toThrow('<AgentStreamProvider')
    expect(() => render(<Phase />)).toThrow('<AgentStreamProvider')
    silence.mockRestore()
  })
})

describe('<AgentStreamProvider>', () => {
  it('lets callers with one key share a store and a connection', async () => {
    const stores = new Set<unknown>()
    const onStream = ({ store }: AgentStream): unknown => stores.add(store)
    const first = createScriptedBackend()
    const second = createScriptedBackend()
    function App({ both }: { readonly both: boolean }): ReactElement {
      return (
        <AgentStreamProvider>
          {both ? <Chat backend={first} onStream={onStream} /> : null}
          <Chat backend={second} onStream={onStream} />
        </AgentStreamProvider>
      )
    }
    const { rerender, unmount } = render(<App both />)
    await nextTask()
    expect(stores.size).toBe(1)
    expect(first.opened + second.opened).toBe(1)
    rerender(<App both={false} />)
    await nextTask()
    expect(first.openNow + second.openNow).toBe(1)
    unmount()
    await nextTask()
    expect(first.openNow + second.openNow).toBe(0)
  })

  it('tells the taps of every caller once', async () => {
    const outer = vi.fn()
    const inner = vi.fn()
    const backend = createScriptedBackend()
    render(
      <StrictMode>
        <AgentStreamProvider backend={backend} options={{ onEvent: outer }}>
          <Chat options={{ onEvent: inner }} />
        </AgentStreamProvider>
      </StrictMode>,
    )
    await connect(backend)
    await emit(backend, 'Hello')
    expect(outer).toHaveBeenCalledTimes(7)
    expect(inner).toHaveBeenCalledTimes(7)
  })

  it('gives the innermost conversation, and one connection per key across providers', async () => {
    const team = createScriptedBackend({ key: 'team' })
    const worker = createScriptedBackend({ key: 'worker', stored: [userMessage('u1', 'Dig')] })
    const keys: string[] = []
    const onStream = ({ store }: AgentStream): unknown => keys.push(store.backend.key)
    render(
      <AgentStreamProvider backend={team}>
        <AgentStreamProvider backend={worker}>
          <Chat onStream={onStream} />
        </AgentStreamProvider>
        <AgentStreamProvider>
          <AgentStreamProvider backend={worker} />
          <Phase />
        </AgentStreamProvider>
      </AgentStreamProvider>,
    )
    await connect(worker)
    expect(new Set(keys)).toEqual(new Set(['worker']))
    expect([team.opened, worker.opened]).toEqual([1, 1])
    expect(screen.getByTestId('texts')).toHaveTextContent('Dig')
  })

  it('forgets a conversation that nobody shows any more', async () => {
    const backend = createScriptedBackend({ stored: [userMessage('u1', 'Hi')] })
    const stores = new Set<unknown>()
    function App(): ReactElement {
      const [isShown, setShown] = useState(true)
      return (
        <AgentStreamProvider>
          <button type="button" onClick={() => setShown(!isShown)}>
            toggle
          </button>
          {isShown ? <Chat backend={backend} onStream={({ store }) => stores.add(store)} /> : null}
        </AgentStreamProvider>
      )
    }
    render(<App />)
    const toggle = async (): Promise<void> => {
      act(() => screen.getByText('toggle').click())
      await nextTask()
    }
    await toggle()
    expect(backend.openNow).toBe(0)
    await toggle()
    expect([backend.opened, backend.openNow]).toEqual([2, 1])
    expect(stores.size).toBe(2)
  })
})
