import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ToolCallCard } from '../../src/components/index.js'
import type { ToolCallCardProps } from '../../src/components/index.js'
import { data, text, toolCall, toolResult } from '../../stories/fixtures/blocks.js'

function show(props: ToolCallCardProps): HTMLElement {
  const { container } = render(<ToolCallCard defaultOpen {...props} />)
  return container
}

describe('<ToolCallCard>', () => {
  it.each([
    ['Bash', { command: 'npm test' }, 'Run npm test'],
    ['Read', { offset: 3, file_path: '/src/app.ts' }, 'Read /src/app.ts'],
    ['get_weather', { city: 'Lisbon', days: 3 }, 'Get weather Lisbon'],
    ['TaskCreate', { subject: 'Write it down' }, 'Add task Write it down'],
    ['mcp__github__createIssue', { n: 7 }, 'Create issue 7'],
    ['constructor', {}, 'Constructor'],
  ])('says in words what %s does', (name, input, words) => {
    render(<ToolCallCard call={toolCall(name, input)} result={null} />)
    const [trigger] = screen.getAllByRole('button')
    expect(trigger?.textContent.replaceAll(/\s+/g, '')).toContain(words.replaceAll(' ', ''))
  })

  it.each(['', '   '])('shows a call without arguments (%j) as such', (input) => {
    show({ call: toolCall('f', input), result: null })
    expect(screen.getByText('No arguments')).toBeVisible()
  })

  it.each(['{"city":"Par', '{"a":1}{"a":1}'])('marks %s and keeps it as it came', (input) => {
    show({ call: toolCall('f', input), result: null })
    expect(screen.getByText('Not valid JSON')).toBeVisible()
    expect(screen.getByText(input)).toBeVisible()
  })

  it.each(['[1,2]', 'null', '"text"', '12345678901234567890'])('shows %s as it is', (input) => {
    show({ call: toolCall('f', input), result: null })
    expect(screen.getByText(input)).toBeVisible()
    expect(screen.queryByText('Not valid JSON')).toBeNull()
  })

  it.each(['{"n":12345678901234567890}', '{"n": 1.0}', '{"a":1,"a":2}'])(
    'shows %s raw, as parsing would show something else',
    (input) => {
      show({ call: toolCall('f', input), result: null })
      expect(screen.getByText(input)).toBeVisible()
    },
  )

  it('shows a hostile key and pollutes nothing', () => {
    show({ call: toolCall('f', '{"__proto__":{"polluted":true}}'), result: null })
    expect(screen.getByText('__proto__')).toBeVisible()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('shows arguments while they are written, and no error', () => {
    const prefixes = [
      '{',
      '{"pa',
      String.raw`{"path":"C:\\`,
      String.raw`{"path":"C:\\x`,
      String.raw`{"path":"C:\\x","u":"\ud83`,
      String.raw`{"path":"C:\\x","u":"\ud83d\udc4d"}`,
    ]
    const open = { state: 'pending', finished_at: null } as const
    const { rerender } = render(<ToolCallCard call={null} result={null} />)
    for (const prefix of prefixes) {
      const call = toolCall('f', prefix, open)
      rerender(<ToolCallCard call={call} result={null} isReplyLive open />)
      expect(screen.queryByText('Not valid JSON')).toBeNull()
    }
    expect(screen.getAllByText(String.raw`C:\x`).length).toBeGreaterThan(0)
    expect(screen.getByText('👍')).toBeVisible()
  })

  it.each([
    ['writing', { state: 'pending', finished_at: null }, null, true, 'Preparing'],
    ['asking', { state: 'asking' }, null, true, 'Needs your approval'],
    ['submitted', { state: 'submitted' }, null, true, 'Waiting for the app'],
    ['running', { state: 'allowed' }, { state: 'running', finished_at: null }, true, 'Running'],
    ['succeeded', {}, { state: 'success' }, true, 'Done'],
    ['failed', {}, { state: 'error' }, true, 'Failed'],
    ['denied', {}, { state: 'denied' }, true, 'Denied'],
    ['interrupted', {}, { state: 'interrupted' }, false, 'Stopped'],
    ['not-run', { state: 'pending' }, null, false, 'Not run'],
  ] as const)('says %s with a word and an icon', (phase, call, result, isReplyLive, word) => {
    const container = show({
      call: toolCall('Bash', { command: 'ls' }, call),
      result: result === null ? null : toolResult('', result),
      isReplyLive,
    })
    const mark = container.querySelector<HTMLElement>('[data-as-part="tool-phase-mark"]')
    expect(mark).toHaveAttribute('data-phase', phase)
    expect(mark).toHaveTextContent(word)
    expect(mark?.querySelector('svg')).not.toBeNull()
  })

  it('is not busy any more once its reply is over, whatever the result says', () => {
    const container = show({
      call: toolCall('shell', { cmd: 'sleep 300' }, { state: 'allowed' }),
      result: toolResult('step 1\n', { state: 'running', finished_at: null }),
      isReplyLive: false,
    })
    expect(container.querySelector('[aria-busy="true"], [role="progressbar"]')).toBeNull()
    expect(container.querySelector('[data-turns]')).toBeNull()
    expect(screen.getByText('step 1')).toBeVisible()
  })

  it('shows text without colour codes and without the wrapper of a reminder', () => {
    const esc = '\u001b'
    const container = show({
      call: toolCall('Bash', { command: 'ls' }),
      result: toolResult([
        text(
          `${esc}[1;32mgreen${esc}[0m ${esc}]8;;https://x.example${esc}\\link${esc}]8;;${esc}\\`,
        ),
        text('<system-reminder>The execution of tool "Bash" is denied by user!</system-reminder>'),
      ]),
    })
    expect(container).toHaveTextContent('green link')
    expect(container).toHaveTextContent('The execution of tool "Bash" is denied by user!')
    expect(container.textContent).not.toContain('system-reminder')
    expect(container.textContent).not.toContain(esc)
  })

  it('folds long output until the reader asks', async () => {
    const lines = Array.from({ length: 400 }, (_line, index) => `line ${String(index)}`)
    show({ call: null, result: toolResult(lines.join('\n')) })
    expect(screen.queryByText(/line 399/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show all 400 lines' }))
    expect(screen.getByText(/line 399/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show less' }))
    expect(screen.queryByText(/line 399/)).toBeNull()
  })

  it('copies the arguments as they came, and the result as it is shown', async () => {
    const user = userEvent.setup()
    const raw = '{ "path" : "/data/a", "n": 1.0, "big": 12345678901234567890 }'
    show({ call: toolCall('write', raw), result: toolResult('\u001b[31mred\u001b[39m') })
    await user.click(screen.getByRole('button', { name: 'Copy input' }))
    await expect(navigator.clipboard.readText()).resolves.toBe(raw)
    await user.click(screen.getByRole('button', { name: 'Copy result' }))
    await expect(navigator.clipboard.readText()).resolves.toBe('red')
  })

  it('shows pictures of a result while folded', () => {
    render(
      <ToolCallCard
        call={toolCall('draw', {})}
        result={toolResult([data('application/pdf', 'AAAA', 'plan.pdf')])}
      />,
    )
    expect(screen.getByText('plan.pdf')).toBeVisible()
  })

  it('stays as the reader left it while it changes', async () => {
    const call = toolCall('Bash', { command: 'ls' }, { state: 'allowed' })
    const running = toolResult('one\n', { state: 'running', finished_at: null })
    const { rerender } = render(<ToolCallCard call={call} result={running} isReplyLive />)
    await userEvent.click(screen.getByRole('button'))
    rerender(<ToolCallCard call={call} result={toolResult('one\ntwo\n')} />)
    expect(screen.getByText(/two/)).toBeVisible()
    const [trigger] = screen.getAllByRole('button')
    if (trigger !== undefined) await userEvent.click(trigger)
    rerender(<ToolCallCard call={call} result={toolResult('one\ntwo\nthree\n')} />)
    expect(screen.queryByText(/three/)).toBeNull()
  })

  it('shows text of a result as text', () => {
    const container = show({ call: null, result: toolResult('<img src=x onerror=alert(1)>') })
    expect(within(container).queryByRole('img')).toBeNull()
  })
})
