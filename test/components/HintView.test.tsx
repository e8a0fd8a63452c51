import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ChatRoot, HintView } from '../../src/components/index.js'
import { en, zh } from '../../src/i18n/index.js'
import { hint } from '../../stories/fixtures/blocks.js'

function nameOf(label: string, words = en): string {
  const block = hint('Said.', JSON.stringify({ label, sublabel: 'more' }))
  const { unmount } = render(
    <ChatRoot words={words}>
      <HintView block={block} />
    </ChatRoot>,
  )
  const name = screen.getByRole('button').textContent
  unmount()
  return name
}

describe('<HintView>', () => {
  it.each([
    ...['System', 'team_message', 'team', 'tool_output', 'schedule', 'channel', 'KnowledgeBase'],
    ...['guidance', 'notify', 'presend', 'sub_agent', 'background_command', 'goal'],
    ...['goal_review', 'compression', 'compression_handoff', 'workflow', 'skill'],
  ])('has words for the sender %s', (label) => {
    expect(nameOf(label)).toMatch(/^[A-Z][a-z -]+ · more$/)
    expect(nameOf(label, zh)).toMatch(/^\p{Script=Han}+ · more$/u)
  })

  it.each(['researcher', 'Data_bot', 'constructor'])('calls %s by its own name', (label) => {
    expect(nameOf(label)).toBe(`${label} · more`)
  })
})
