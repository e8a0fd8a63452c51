import { act, render, screen } from '@testing-library/react'
import { memo } from 'react'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  AgentStreamProvider,
  useBlock,
  useBlockKeys,
  useCapabilities,
  useChatSelector,
  useConnection,
  useHistory,
  useMessage,
  useMessageIds,
  useMessageView,
  useNotice,
  usePhase,
  useReply,
  useRequest,
  useRequestOfCall,
  useRequests,
  useSendBlock,
  useSendState,
  useUsage,
} from '../../src/hooks/index.js'
import type { AgentEvent, ConversationInput } from '../../src/protocol/index.js'
import recording from '../recordings/agentscope-python/parallel-tools.json' with { type: 'json' }
import { parseEvent } from '../../src/protocol/index.js'
import type { ScriptedBackend } from '../store/createScriptedBackend.js'
import { createScriptedBackend } from '../store/createScriptedBackend.js'
import { parkedReply, storedAnswer, textDelta, textReply, textStart } from '../store/events.js'

/** How often each thing was rendered, by its name. */
type Renders = Map<string, number>

function count(renders: Renders, name: string): void {
  renders.set(name, (renders.get(name) ?? 0) + 1)
}

interface CountedProps {
  readonly renders: Renders
}

const Block = memo(function Block(
  props: CountedProps & { readonly messageId: string; readonly blockKey: string },
): ReactElement {
  const block = useBlock(props.messageId, props.blockKey)
  count(props.renders, `block ${props.messageId} ${props.blockKey}`)
  return <pre>{JSON.stringify(block)}</pre>
})

const Message = memo(function Message(props: CountedProps & { readonly id: string }): ReactElement {
  const keys = useBlockKeys(props.id)
  count(props.renders, `message ${props.id}`)
  return (
    <article>
      {keys.map((key) => (
        <Block key={key} renders={props.renders} messageId={props.id} blockKey={key} />
      ))}
    </article>
  )
})

function Transcript({ renders }: CountedProps): ReactElement {
  const ids = useMessageIds()
  count(renders, 'transcript')
  return (
    <main>
      {ids.map((id) => (
        <Message key={id} renders={renders} id={id} />
      ))}
    </main>
  )
}

/** Renders a transcript that commits after each batch. */
async function renderTranscript(
  renders: Renders,
): Promise<{ backend: ScriptedBackend; emit: (...events: ConversationInput[]) => void }> {
  const backend = createScriptedBackend({ stored: [storedAnswer('r0', 'Settled')] })
  let commit = (): void => {}
  render(
    <AgentStreamProvider
      backend={backend}
      options={{
        schedule(call) {
          commit = call
          return () => {}
        },
      }}
    >
      <Transcript renders={renders} />
    </AgentStreamProvider>,
  )
  await act(async () => {
    backend.setConnection({ phase: 'open' })
  })
  const emit = (...events: ConversationInput[]): void => {
    act(() => {
      backend.emit(...events)
      commit()
    })
  }
  return { backend, emit }
}

function recordedEvents(): readonly AgentEvent[] {
  return recording.steps.flatMap((step) => {
    const { event } = 'event' in step ? parseEvent(step.event) : { event: undefined }
    return event === undefined ? [] : [event]
  })
}

describe('useBlock', () => {
  it('does not render a settled block, its message or the list while another block streams', async () => {
    const renders: Renders = new Map()
    const { emit } = await renderTranscript(renders)
    emit(...textReply('r1', 'Done').slice(0, -2), textStart('r1', 'b2'))
    const before = new Map(renders)
    for (let n = 0; n < 100; n += 1) emit(textDelta('r1', 'b2', `${n} `))
    const changed = [...renders].filter(([name, times]) => before.get(name) !== times)
    expect(changed).toHaveLength(1)
    expect(changed[0]?.[0]).toMatch(/^block r1 /)
    expect(changed[0]?.[1]).toBe((before.get(changed[0]?.[0] ?? '') ?? 0) + 100)
  })

  it('renders a block of a recorded run only when the recording writes to it', async () => {
    const renders: Renders = new Map()
    const { emit } = await renderTranscript(renders)
    const events = recordedEvents()
    expect(events.length).toBeGreaterThan(50)
    for (const event of events) {
      const before = new Map(renders)
      emit(event)
      const changed = [...renders].filter(
        ([name, times]) => name.startsWith('block ') && before.get(name) !== times,
      )
      expect(changed.length, event.type).toBeLessThanOrEqual(1)
    }
    const settled = [...renders].filter(([name]) => name.startsWith('block r0 '))
    expect(settled).toEqual([[expect.any(String), 1]])
  })

  it('gives nothing for a key or a message that is not there', () => {
    function Nothing(): ReactElement {
      const found = [useBlock('none', 'k'), useMessage('none'), useReply('constructor')]
      return <p>{JSON.stringify([...found, useMessageView('none'), useBlockKeys('none')])}</p>
    }
    render(
      <AgentStreamProvider backend={createScriptedBackend()}>
        <Nothing />
      </AgentStreamProvider>,
    )
    expect(screen.getByText('[null,null,null,[],[]]')).toBeInTheDocument()
  })
})

describe('useMessageIds', () => {
  it('is the same list while a message is written', async () => {
    const renders: Renders = new Map()
    const { emit } = await renderTranscript(renders)
    emit(...textReply('r1', 'x').slice(0, 4))
    const before = renders.get('transcript')
    emit(textDelta('r1', 'r1-t', 'y'))
    emit(textDelta('r1', 'r1-t', 'z'))
    expect(renders.get('transcript')).toBe(before)
    emit(...textReply('r2', 'more'))
    expect(renders.get('transcript')).toBe((before ?? 0) + 1)
  })
})

describe('fine selectors', () => {
  function Everything(): ReactElement {
    const requests = useRequests()
    const [first] = requests
    const facts = {
      phase: usePhase(),
      connection: useConnection().phase,
      history: useHistory().phase,
      sendBlock: useSendBlock(),
      usage: useUsage().input_tokens,
      notice: useNotice('team_updated'),
      rules: useCapabilities().rules,
      request: useRequest(first?.key ?? '')?.kind ?? null,
      ofCall: useRequestOfCall('r1', 't1')?.key === first?.key,
      sending: useSendState('none'),
      reply: useReply('r1')?.phase ?? null,
      view: useMessageView('r1').map(({ kind }) => kind),
      count: useChatSelector((state) => state.conversation.messages.length),
    }
    return <code>{JSON.stringify(facts)}</code>
  }

  it('read what an agent waits for', async () => {
    const backend = createScriptedBackend()
    render(
      <AgentStreamProvider backend={backend}>
        <Everything />
      </AgentStreamProvider>,
    )
    await act(async () => {
      backend.setConnection({ phase: 'open' })
    })
    await act(async () => {
      backend.emit(...parkedReply('r1', 't1'), {
        id: 'n1',
        type: 'CUSTOM',
        name: 'team_updated',
        value: { size: 2 },
      })
    })
    const text = screen.getByText(/phase/).textContent
    expect(JSON.parse(text)).toEqual({
      phase: 'awaiting-person',
      connection: 'open',
      history: 'ready',
      sendBlock: 'awaiting-person',
      usage: 10,
      notice: { size: 2 },
      rules: true,
      request: 'confirm',
      ofCall: true,
      sending: null,
      reply: 'parked',
      view: ['tool'],
      count: 1,
    })
  })

  it('render on the server', () => {
    const html = renderToString(
      <AgentStreamProvider backend={createScriptedBackend()}>
        <Everything />
      </AgentStreamProvider>,
    )
    expect(html).toContain('loading')
  })
})
