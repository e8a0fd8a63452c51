import { expect, it } from 'vitest'
import { applyEvents, createConversation, getTextContent } from '../../../src/entries/core.js'
import { createScenario, hint, thinking, toolCall, worker } from '../../../src/entries/testing.js'

it('counts what my app counts', () => {
  const story = createScenario()
    .user('What is the weather in Oslo and in Rome?')
    .reply(
      thinking('Two cities, two calls.'),
      toolCall('c1', 'get_weather', { city: 'Oslo' }, '8 °C, rain'),
      toolCall('c2', 'get_weather', { city: 'Rome' }, '21 °C, sun'),
      'Oslo is cold, Rome is warm.',
    )
  const { messages } = applyEvents(createConversation(), story.inputs)
  expect(messages[1]?.content.filter(({ type }) => type === 'tool_call')).toHaveLength(2)
  expect(messages.map((message) => getTextContent(message))).toEqual(
    story.messages.map((message) => getTextContent(message)),
  )
})

it('tries two endings on one beginning', () => {
  const pay = toolCall('c1', 'pay', { euro: 20 }, { needs: 'approval' })
  const asked = createScenario().user('Pay the bill').reply(pay, 'That is settled.')
  expect(asked.status).toBe('awaiting-confirm')
  expect(asked.approve().messages[1]?.finished_reason).toBe('completed')
  expect(asked.deny().messages[1]?.content).toContainEqual(
    expect.objectContaining({ type: 'tool_result', state: 'denied' }),
  )
})

it('stops in the middle of a reply, and begins one by itself', () => {
  const stopped = createScenario().user('Count to ten').replyUpTo(5, 'one two three').interrupt()
  expect(stopped.messages[1]?.finished_reason).toBe('interrupted')
  const woken = stopped.reply(hint('tool_output', 'backup', 'Done.'), 'The backup is ready.')
  expect(woken.messages).toHaveLength(3)
})

it('lets a worker ask through its leader', () => {
  const order = toolCall('w1', 'order', { item: 'mulch' }, { needs: 'approval' })
  const story = createScenario()
    .user('Order mulch')
    .reply(
      'I ask a worker.',
      worker('researcher', [order, 'Ordered.'], (ends) => [`It ended: ${ends.get('w1')?.state}.`]),
    )
  expect(story.waitingCalls).toMatchObject([{ id: 'w1' }])
  expect(story.approve().messages.at(-1)?.content).toMatchObject([{ text: 'It ended: success.' }])
})
