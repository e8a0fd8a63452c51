import { render, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { MessageList } from '../../src/components/index.js'
import { decodeFrames } from '../../src/dialects/index.js'
import type { JsonObject } from '../../src/protocol/index.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import {
  javaStream,
  modelCall,
  text,
  toolResult,
  toolUse,
  writtenCall,
} from '../dialects/agentscope-java/frames.js'
import { inChat, settled } from './inChat.js'

const event = javaStream()

/** Two calls that each start a sub-agent of the same name, what those say, and the agent's own end. */
function stream(nested: readonly JsonObject[], isOver = true): readonly JsonObject[] {
  const spawned = (id: string): readonly JsonObject[] =>
    writtenCall(event, 'M1', id, 'agent_spawn', `{"agent_id":"scout","of":"${id}"}`)
  const at = (toolCallId: string): JsonObject => ({
    replyId: 'A1',
    toolCallId,
    toolCallName: 'agent_spawn',
  })
  return [
    event('AGENT_START', { replyId: 'R0', name: 'Ops' }),
    ...modelCall(event, 'M1', () => [...spawned('c1'), ...spawned('c2')]),
    event('TOOL_RESULT_START', at('c1')),
    event('TOOL_RESULT_START', at('c2')),
    ...nested,
    ...(isOver
      ? [
          ...toolResult(event, 'A1', 'c1', 'agent_spawn', 'one').slice(1),
          ...toolResult(event, 'A1', 'c2', 'agent_spawn', 'two').slice(1),
          ...modelCall(event, 'M2', () => text(event, 'M2', 'Both are done.')),
          event('AGENT_END', { replyId: 'R0' }),
        ]
      : []),
  ]
}

function child(prefix: string, taskId: string, said: string): readonly JsonObject[] {
  const of = javaStream(prefix)
  return [
    of('AGENT_START', { name: 'scout' }),
    ...modelCall(of, `${prefix}M`, () => text(of, `${prefix}M`, said)),
    of('AGENT_END'),
  ].map((frame) => ({ ...frame, source: 's1/scout', metadata: { taskId } }))
}

async function show(frames: readonly JsonObject[]): Promise<void> {
  const inputs = decodeFrames('agentscope-java', frames)
  render(inChat(stillBackend({ inputs }), <MessageList />))
  await settled()
}

/** The sub-agent's part that stands right after a call's card. */
function nestedAfter(card: Element | undefined): HTMLElement {
  const next = card?.nextElementSibling
  if (!(next instanceof HTMLElement) || next.dataset['asPart'] !== 'nested-reply') {
    throw new Error('No sub-agent stands there.')
  }
  return next
}

function cards(): readonly Element[] {
  return [...document.querySelectorAll('[data-as-part="tool-call-card"]')]
}

describe('<NestedReply>', () => {
  it('stands under the call that started it, also where two of one name run at once', async () => {
    const [one, two] = [child('x', 't1', 'First.'), child('y', 't2', 'Second.')]
    await show(stream(one.flatMap((frame, index) => [frame, ...two.slice(index, index + 1)])))
    expect(cards()).toHaveLength(2)
    const [first, second] = cards().map(nestedAfter)
    if (first === undefined || second === undefined) throw new Error('Two were to be there.')
    expect(within(first).queryByText('First.')).toBeNull()
    await userEvent.click(within(first).getByRole('button', { name: 'scout' }))
    await userEvent.click(within(second).getByRole('button', { name: 'scout' }))
    expect(within(first).getByText('First.')).toBeVisible()
    expect(within(second).getByText('Second.')).toBeVisible()
    expect(within(second).queryByText('First.')).toBeNull()
  })

  it('asks where it stands', async () => {
    const asks = {
      type: 'REQUIRE_USER_CONFIRM',
      replyId: 'Q',
      toolCalls: [toolUse('c9', 'rm_file', { path: '/a' })],
      source: 's1/scout',
      metadata: { taskId: 't1' },
    }
    await show(stream([asks], false))
    const nested = nestedAfter(cards()[0])
    expect(nested.dataset['phase']).toBe('parked')
    expect(within(nested).getByRole('button', { name: 'Deny' })).toBeVisible()
  })

  it('stands at the end of the reply when nothing tells which call started it', async () => {
    const of = javaStream('z')
    const frames = [
      event('AGENT_START', { replyId: 'R9', name: 'Ops' }),
      ...modelCall(event, 'M9', () => text(event, 'M9', 'I ask around.')),
      ...[
        of('AGENT_START', { name: 'scout' }),
        ...modelCall(of, 'zM', () => text(of, 'zM', 'Here.')),
        of('AGENT_END'),
      ].map((frame) => ({ ...frame, source: 's1/scout' })),
      event('AGENT_END', { replyId: 'R9' }),
    ]
    await show(frames)
    const body = document.querySelector('[data-as-part="message-body"]')
    expect(body?.lastElementChild).toHaveAttribute('data-as-part', 'nested-reply')
  })
})
