// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createAgentServer,
  text,
  toolCall,
  type AgentScript,
} from '../../../src/testing/server/index.js'

interface Frame {
  readonly type: string
  readonly toolCallName?: string
}

interface Recording {
  readonly turns: readonly { readonly frames: readonly Frame[] }[]
  readonly memory: readonly object[]
}

/** A conversation with the real agent; the cast is of our own recording. */
const recorded = (name: string): Recording => {
  const file = new URL(`../../recordings-java/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Recording
}

/** The agent of the recordings, as far as it is needed here. */
const friday: AgentScript = {
  id: 'friday',
  name: 'Friday',
  perform: ({ text: words }) => {
    const settled = { kind: 'model', says: [text('That is settled.')] } as const
    if (words === 'external') {
      const call = toolCall('call_1', 'locate_user', {}, { needs: 'execution' })
      return { steps: [{ kind: 'model', says: [text('Where are you?')], calls: [call] }, settled] }
    }
    const call = toolCall('call_1', 'delete_file', { path: '/a.txt' }, { needs: 'approval' })
    return { steps: [{ kind: 'model', says: [text('I will delete it.')], calls: [call] }, settled] }
  },
}

async function start() {
  const server = await createAgentServer({ agents: [friday], pace: 0 })
  onTestFinished(() => server.close())
  const ask = (path: string, body?: object) =>
    fetch(`${server.url}/java/friday/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify({ sessionId: 's1', ...body }) }),
    })
  const turn = async (path: string, body: object) => {
    const response = await ask(path, body)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    return (await response.text()).split('\n\n').filter((line) => line !== '')
  }
  return { ask, turn }
}

const say = (words: string) => ({
  messages: [{ id: 'u1', name: 'user', role: 'USER', content: [{ type: 'text', text: words }] }],
})
const decide = (confirmed: boolean) => {
  const input = { path: '/a.txt' }
  const content = JSON.stringify(input)
  const call = { type: 'tool_use', id: 'call_1', name: 'delete_file', input, content }
  return { confirmResults: [{ confirmed, toolCall: call, rules: null }] }
}
const toolResults = [
  {
    type: 'tool_result',
    id: 'call_1',
    name: 'locate_user',
    output: [{ type: 'text', text: 'Paris' }],
    state: 'success',
  },
]

const parse = (lines: readonly string[]): readonly Frame[] =>
  lines.map((line) => JSON.parse(line.slice('data:'.length)) as Frame)

/** What is told, in which order, with which fields. Pieces of one text or call count once. */
function shapeOf(frames: readonly Frame[]): readonly string[] {
  const shapes = frames.map((frame) => `${frame.type} ${Object.keys(frame).toSorted().join(' ')}`)
  return shapes.filter((shape, index) => shape !== shapes[index - 1])
}

describe('the Java side of createAgentServer', () => {
  it.each([
    ['ask-approve', 'confirm', decide(true)],
    ['ask-deny', 'confirm', decide(false)],
    ['external', 'external', { toolResults }],
  ])('tells %s as the real agent does', async (name, path, answer) => {
    const { turn, ask } = await start()
    const words = name === 'external' ? 'external' : 'ask'
    const turns = [await turn('chat', say(words)), await turn(path, answer)]
    const { turns: real, memory } = recorded(name)
    expect(turns.map((lines) => shapeOf(parse(lines)))).toEqual(
      real.map(({ frames }) => shapeOf(frames)),
    )
    const stored: unknown = await (await ask('memory?sessionId=s1')).json()
    const outline = (messages: unknown) =>
      JSON.stringify(messages, (key, value: unknown) =>
        /^(id|name|text|timestamp|metadata|usage|input|content)$/.test(key) && !Array.isArray(value)
          ? undefined
          : value,
      )
    expect(JSON.parse(outline(stored))).toEqual(JSON.parse(outline(memory)))
  })

  it('writes as Spring does: no space after the colon, the type twice, ids of a model call', async () => {
    const { turn } = await start()
    const lines = await turn('chat', say('ask'))
    for (const line of lines) expect(line).toMatch(/^data:\{"type":"(\w+)".*"type":"\1"\}$/)
    expect(lines.join('')).toContain('"blockId":"text"')
    expect(lines.join('')).toContain('"toolCallName":"__fragment__"')
  })

  it('refuses what it cannot read or does not know', async () => {
    const { ask } = await start()
    expect((await ask('memory')).status).toBe(400)
    expect((await ask('nothing', {})).status).toBe(404)
    expect((await ask('memory', {})).status).toBe(405)
    expect((await ask('chat', {})).status).toBe(400)
    expect((await ask('chat', { messages: [{ role: 'user', content: [] }] })).status).toBe(400)
    const bare = { confirmResults: [{ confirmed: true, toolCall: { id: 'call_1' } }] }
    expect((await ask('confirm', bare)).status).toBe(400)
    expect((await ask('interrupt', {})).status).toBe(200)
  })

  it('breaks off a message while a call asks, and an answer that nothing waits for', async () => {
    const { ask, turn } = await start()
    await expect((await ask('confirm', decide(true))).text()).rejects.toThrow('terminated')
    await turn('chat', say('ask'))
    await expect((await ask('chat', say('Hello?'))).text()).rejects.toThrow('terminated')
    const frames = parse(await turn('confirm', decide(true)))
    expect(frames.at(-1)?.type).toBe('AGENT_END')
  })
})
