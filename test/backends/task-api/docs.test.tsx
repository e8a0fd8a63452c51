import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgentServer, text } from '../../../src/testing/server/index.js'
import { Support } from './examples/Support.js'
import { Workspace } from './examples/Workspace.js'

/** Where an example stands decides how it names the package. */
function essence(code: string): string {
  return code
    .replaceAll("'../../../../src/entries/index.js'", "'agentscope-react'")
    .replaceAll("'../../../../src/entries/task-api.js'", "'agentscope-react/task-api'")
    .replace("import 'agentscope-react/styles.css'", '')
    .replaceAll(/\s+/g, '')
}

describe('docs/task-api.md', () => {
  it('shows the examples as they are', () => {
    const page = readFileSync('docs/task-api.md', 'utf8').split('```tsx\n').slice(1)
    const blocks = page.map((rest) => rest.split('```')[0] ?? '')
    const examples = ['Support', 'Workspace'].map((name) =>
      readFileSync(`test/backends/task-api/examples/${name}.tsx`, 'utf8'),
    )
    expect(blocks.map(essence)).toEqual(examples.map(essence))
  })

  it('has an example that chats', async () => {
    const url = await serve()
    render(<Support server={url} token="secret" />)
    await userEvent.type(await screen.findByRole('textbox'), 'Hello{Enter}')
    expect(await screen.findByText('You said Hello.', {}, patience)).toBeVisible()
  })

  it('has an example that lists conversations, opens one and begins another', async () => {
    const url = await serve()
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Workspace server={url} token="secret" />
      </QueryClientProvider>,
    )
    const list = screen.getByRole('navigation')
    const answer = (words: string) => screen.queryAllByText(`You said ${words}.`).length > 0
    for (const words of ['One', 'Two']) {
      await userEvent.click(within(list).getByRole('button', { name: 'New' }))
      await userEvent.type(await screen.findByRole('textbox'), `${words}{Enter}`)
      await waitFor(() => expect(answer(words)).toBe(true), patience)
    }
    await waitFor(() => expect(within(list).getAllByRole('button')).toHaveLength(3), patience)
    expect(answer('One')).toBe(false)
    const [, , oldest] = within(list).getAllByRole('button')
    if (oldest !== undefined) await userEvent.click(oldest)
    await waitFor(() => expect([answer('One'), answer('Two')]).toEqual([true, false]), patience)
  })
})

const patience = { timeout: 4_000 }

async function serve(): Promise<string> {
  const server = await createAgentServer({
    agents: [
      {
        id: 'friday',
        name: 'Friday',
        perform: (cue) => ({ steps: [{ kind: 'model', says: [text(`You said ${cue.text}.`)] }] }),
      },
    ],
    pace: 0,
    taskApi: { token: 'secret' },
  })
  onTestFinished(() => server.close())
  return `${server.url}/task-api`
}
