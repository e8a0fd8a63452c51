// @vitest-environment node
import { expect, it } from 'vitest'
import { getTextContent } from '../../../src/entries/core.js'
import { createChatStore } from '../../../src/entries/hooks.js'
import { taskApiBackend } from '../../../src/entries/task-api.js'
import {
  createAgentServer,
  createFaultProxy,
  text,
  type AgentScript,
} from '../../../src/entries/testing-server.js'

const friday: AgentScript = {
  id: 'friday',
  name: 'Friday',
  perform: () => ({
    steps: [
      {
        kind: 'model',
        // The first attempt breaks off; what it said is taken back.
        attempts: [{ says: [text('The ferry leaves at nine for')], retryMs: 500 }],
        says: [text('The ferry leaves at 9:40.')],
      },
    ],
  }),
}

it('shows what the model said in the end, whatever was polled twice', async () => {
  const server = await createAgentServer({ agents: [friday], pace: 0.1, taskApi: { tailRace: 2 } })
  const proxy = await createFaultProxy({ target: server.url })
  proxy.inject({ kind: 'duplicate', which: 'every', on: { path: '/**/tasks/*' }, events: {} })
  const store = createChatStore(
    taskApiBackend({ baseUrl: `${proxy.url}/task-api`, surface: 'web', workspaceId: 'friday' }),
  )
  const disconnect = store.connect()
  await store.commands.send('When does the ferry leave?')
  await expect
    .poll(() => store.getState().conversation.messages.map((message) => getTextContent(message)), {
      timeout: 10_000,
    })
    .toEqual(['When does the ferry leave?', 'The ferry leaves at 9:40.'])
  disconnect()
  await proxy.close()
  await server.close()
})
