import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ThinkingPanel } from '../../src/components/index.js'
import { newestSentence } from '../../src/components/thinking-panel/newestSentence.js'
import { at, thinking } from '../../stories/fixtures/blocks.js'

describe('<ThinkingPanel>', () => {
  it('is one line while it runs, with the newest sentence, and one line when it is done', () => {
    const { rerender } = render(
      <ThinkingPanel block={thinking('First. Then thi', { finished_at: null })} isStreaming />,
    )
    expect(screen.getByRole('button')).toHaveTextContent('ThinkingThen thi')
    rerender(<ThinkingPanel block={thinking('First. Then this.')} />)
    expect(screen.getByRole('button', { name: 'Thought for 12 s' })).toHaveAttribute(
      'aria-expanded',
      'false',
    )
  })

  it('stays as the reader left it when it ends', async () => {
    const open = thinking('First.', { finished_at: null })
    const { rerender } = render(<ThinkingPanel block={open} isStreaming />)
    await userEvent.click(screen.getByRole('button'))
    rerender(<ThinkingPanel block={thinking('First. Second.')} />)
    expect(screen.getByText('First. Second.')).toBeVisible()
  })

  it('shows every token as it comes', () => {
    const grown = ['a', 'ab', 'ab', 'abc']
    const { rerender } = render(<ThinkingPanel block={thinking('')} isStreaming defaultOpen />)
    for (const value of grown) {
      rerender(
        <ThinkingPanel block={thinking(value, { finished_at: null })} isStreaming defaultOpen />,
      )
      expect(screen.getAllByText(value).length).toBeGreaterThan(0)
    }
  })

  it('has no panel for reasoning that the provider hid', () => {
    const { container } = render(<ThinkingPanel block={thinking('')} />)
    expect(container).toBeEmptyDOMElement()
  })

  it.each([
    [null, at(3)],
    [at(3), null],
    [at(3), at(1)],
    ['nonsense', at(1)],
  ])('makes up no duration from %j and %j', (from, to) => {
    render(<ThinkingPanel block={thinking('Hm.', { created_at: from, finished_at: to })} />)
    expect(screen.getByRole('button', { name: 'Thought' })).toBeVisible()
  })
})

describe('newestSentence', () => {
  it.each([
    ['', ''],
    ['One', 'One'],
    ['One. Two', 'Two'],
    ['One. Two.', 'Two.'],
    ['One.\n\n', 'One.'],
    ['## Plan\n\n- **check** it', 'check** it'],
    ['先看。再想', '再想'],
    ['version 2.0 is', 'version 2.0 is'],
    [`${'x'.repeat(1000)}. End`, 'End'],
  ])('of %j is %j', (written, newest) => {
    expect(newestSentence(written)).toBe(newest)
  })
})
