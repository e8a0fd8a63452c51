import type { Msg } from '../../../protocol/index.js'

/** How many days the notes cover: more than one page of history. */
const DAYS = 60

const WORK = [
  ['Sowed the first peas, two rows.', 'Peas like it cool. **Two centimetres deep** is right.'],
  [
    'The tomatoes have yellow leaves at the bottom.',
    'Old leaves do that. Take off the lowest two.',
  ],
  ['Slugs in the salad again.', 'Water in the *morning*; at night it invites them.'],
  ['Moved the compost behind the shed.', 'Turn it in two weeks, when it is warm inside.'],
  ['Rain all day. Did nothing.', 'The garden did: 14 mm, no need to water until Friday.'],
  ['Picked the first beans, 600 g.', 'Pick every second day and they go on until the frost.'],
] as const

/** A long conversation that exists from the beginning, for reading back. */
export function gardenNotes(): readonly Msg[] {
  return Array.from({ length: DAYS }, (_, day) => {
    const [said, answered] = WORK[day % WORK.length] ?? WORK[0]
    const noon = Date.UTC(2026, 3, 1 + day, 12)
    return [
      message('user', 'user', day, noon, `Day ${day + 1}. ${said}`),
      message('assistant', 'Friday', day, noon + 4000, answered),
    ]
  }).flat()
}

function message(role: Msg['role'], name: string, day: number, at: number, words: string): Msg {
  const created_at = stampOf(at)
  const finished_at = stampOf(at + 2000 + (day % 7) * 300)
  const id = `garden-${role}-${day + 1}`
  const isAnswer = role === 'assistant'
  return {
    id,
    name,
    role,
    content: [{ type: 'text', id: `${id}-text`, text: words, created_at, finished_at }],
    metadata: {},
    created_at,
    usage: isAnswer
      ? {
          input_tokens: 90 + day * 12,
          output_tokens: 18,
          cache_input_tokens: day * 12,
          cache_creation_input_tokens: 0,
        }
      : null,
    finished_at: isAnswer ? finished_at : null,
    finished_reason: isAnswer ? 'completed' : null,
    structured_output: null,
    error: null,
  }
}

function stampOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, -1)}000`
}
