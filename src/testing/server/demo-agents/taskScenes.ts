import type { CallEnd, Scene } from '../../index.js'
import { hint, success, text, thinking, toolCall } from '../../index.js'

/** Two questions at once. Who cannot ask them as such leaves them to the client, as a tool of its own. */
export function questionScene(): Scene {
  const ask = toolCall(
    'call_ask',
    'ask_user',
    {
      intent: 'learn whom the gift is for',
      questions: [
        {
          question: 'Who is it for?',
          context: 'A gift says most when it fits.',
          options: [
            { id: 'friend', label: 'A friend', description: 'Someone you laugh with' },
            { id: 'parent', label: 'A parent' },
            { id: 'colleague', label: 'A colleague' },
          ],
        },
        {
          question: 'What may it cost?',
          options: [
            { id: 'little', label: 'Up to 20 €' },
            { id: 'more', label: 'Up to 60 €' },
          ],
        },
      ],
    },
    { needs: 'execution' },
  )
  return {
    steps: [
      {
        kind: 'model',
        says: [thinking('I know too little. Two questions will do.'), text('Two things first.')],
        calls: [ask],
        usage: [420, 90],
      },
      {
        kind: 'branch',
        next: (ends) => [
          { kind: 'model', says: [text(tellGift(ends.get('call_ask')))], usage: [560, 44, 420] },
        ],
      },
    ],
  }
}

function tellGift(end: CallEnd | undefined): string {
  if (end?.state !== 'success' || end.text === '') return 'Then a book: it always fits.'
  const quote = end.text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  return `So this is what I go by:\n\n${quote}\n\nI would give **a small plant that is hard to kill**.`
}

/** A plan that a person is to approve. */
export function planScene(): Scene {
  const plan = `# Move to the new store

1. Copy the tables, **read only**.
2. Write to both for a week.
3. Compare, then switch.

Nothing is deleted before the comparison is empty.`
  const submit = toolCall(
    'call_plan',
    'submit_plan',
    {
      intent: 'have the plan approved',
      plan_file: 'plans/new-store.md',
      summary: 'Three steps, a week of writing to both stores.',
      plan_content: plan,
    },
    { needs: 'approval', suggestedRules: [], outcome: () => success('The plan is approved.') },
  )
  const copy = toolCall(
    'call_copy',
    'copy_tables',
    { from: 'old', to: 'new', intent: 'copy the tables, read only' },
    { takesMs: 600, outcome: () => success(JSON.stringify({ tables: 14, rows: 88_210 })) },
  )
  return {
    steps: [
      {
        kind: 'model',
        says: [text('I have written a plan.')],
        calls: [submit],
        usage: [510, 180],
      },
      {
        kind: 'branch',
        next: (ends) =>
          ends.get('call_plan')?.state === 'success'
            ? [
                { kind: 'model', calls: [copy], usage: [700, 30, 510] },
                {
                  kind: 'model',
                  says: [text('Step one is done: **14 tables**, 88,210 rows.')],
                  usage: [760, 26, 700],
                },
              ]
            : [
                {
                  kind: 'model',
                  says: [text('Then I change nothing. Tell me what the plan lacks.')],
                  usage: [700, 22, 510],
                },
              ],
      },
    ],
  }
}

/** A model that fails twice before it answers: once in the middle of a sentence, once at the door. */
export function flakyScene(): Scene {
  const words = 'The ferry leaves at **9:40** from pier 3. Be there ten minutes early.'
  return {
    steps: [
      {
        kind: 'model',
        attempts: [
          {
            says: [thinking('The timetable says…'), text('The ferry leaves at nine for')],
            retryMs: 600,
          },
          {
            error: { message: 'The model provider is overloaded.', status: 503 },
            retryMs: 600,
          },
        ],
        says: [thinking('The timetable says 9:40.'), text(words)],
        usage: [240, 30],
      },
    ],
  }
}

/** Work so long that the agent's memory is compressed in its middle. */
export function compressionScene(): Scene {
  const page = (number: number) =>
    toolCall(
      `call_minutes_${number}`,
      'Read',
      { file_path: `/archive/minutes-${number}.txt`, intent: `read the minutes of part ${number}` },
      { takesMs: 300, outcome: () => success(`Minutes, part ${number}.\n`) },
    )
  const handoff = 'So far: part 1 is read, the hall was rented for May. Go on with part 2.'
  return {
    steps: [
      {
        kind: 'model',
        says: [text('I read the minutes, part by part.')],
        calls: [page(1)],
        usage: [7400, 40],
      },
      {
        kind: 'model',
        says: [text('Part 1: the hall is rented for **May**.')],
        usage: [7900, 20, 7400],
      },
    ],
    followUp: {
      afterMs: 400,
      isSameTask: true,
      scene: {
        steps: [
          hint('compression_handoff', 'memory', handoff),
          { kind: 'model', calls: [page(2)], usage: [640, 24] },
          {
            kind: 'model',
            says: [text('Part 2: the choir sings. That is all there is in the minutes.')],
            usage: [720, 24, 640],
          },
        ],
      },
    },
  }
}
