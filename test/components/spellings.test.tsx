import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { MessageList } from '../../src/components/index.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { scenarios, type Step, type Voice } from '../dialects/agentscope-java/voices/scenarios.js'
import { pythonLike, voices } from '../dialects/agentscope-java/voices/voices.js'
import { decode, fold } from '../dialects/describeDialect.js'
import { tellMessages } from '../dialects/tellMessages.js'
import { inChat, settled } from './inChat.js'

/** What a voice's stream comes to: messages and requests without ids, and what stands on the screen. */
async function hear(voice: Voice, steps: readonly Step[]): Promise<unknown> {
  const inputs = decode(voice.dialect, [voice.speak(steps)])
  const { conversation, anomalies } = fold(inputs)
  expect(anomalies).toEqual([])
  const { container, unmount } = render(inChat(stillBackend({ inputs }), <MessageList />))
  await settled()
  const html = container.querySelector('[data-as-part="message-list-column"]')?.innerHTML ?? ''
  unmount()
  return {
    messages: tellMessages(conversation.messages),
    requests: conversation.requests.map((one) => [
      one.kind,
      one.kind === 'input' ? null : [one.toolCall.name, one.toolCall.input],
    ]),
    html: html
      .replaceAll(
        / (id|for|name|aria-[a-z]+by|aria-controls|data-[a-z-]*id|datetime|title)="[^"]*"/g,
        '',
      )
      .replaceAll(/blob:[^"]+/g, 'blob:')
      .replaceAll(/<time[^>]*>[^<]*<\/time>/g, '')
      .replaceAll('><', '>\n<'),
  }
}

const cases = voices.flatMap((voice) =>
  scenarios
    .filter(({ steps }) => steps.every(({ does }) => voice.tells.has(does)))
    .map(({ name, steps }) => ({ voice, spelling: voice.name, name, steps })),
)

describe('a conversation looks the same whoever tells it', () => {
  it.each(cases)('$spelling: $name', async ({ voice, steps }) => {
    const expected = await hear(pythonLike(voice), steps)
    expect(await hear(voice, steps)).toEqual(expected)
  })

  it('in each of the voices, and of each scenario', () => {
    expect(new Set(cases.map(({ spelling }) => spelling)).size).toBe(voices.length)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(scenarios.length)
    expect(cases.length).toBeGreaterThan(90)
  })
})
