import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgentServer, text } from '../../../src/testing/server/index.js'
import { Support } from './examples/Support.js'

/** Where an example stands decides how it names the package. */
function essence(code: string): string {
  return code
    .replaceAll("'../../../../src/entries/index.js'", "'agentscope-react'")
    .replaceAll("'../../../../src/entries/task-api.js'", "'agentscope-react/task-api'")
    .replaceAll(/\s+/g, '')
}

describe('docs/task-api.md', () => {
  it('shows the example as it is', () => {
    const [, code = ''] = readFileSync('docs/task-api.md', 'utf8').split(/```tsx?\n/)
    const [block = ''] = code.split('```')
    const example = readFileSync('test/backends/task-api/examples/Support.tsx', 'utf8')
    expect(essence(block)).toBe(essence(example))
  })

  it('has an example that chats', async () => {
    const server = await createAgentServer({
      agents: [
        {
          id: 'friday',
          name: 'Friday',
          perform: () => ({ steps: [{ kind: 'model', says: [text('At your service.')] }] }),
        },
      ],
      pace: 0,
      taskApi: { token: 'secret' },
    })
    onTestFinished(() => server.close())
    render(<Support server={`${server.url}/task-api`} token="secret" />)
    await userEvent.type(await screen.findByRole('textbox'), 'Hello{Enter}')
    expect(await screen.findByText('At your service.', {}, { timeout: 4_000 })).toBeVisible()
  })
})
