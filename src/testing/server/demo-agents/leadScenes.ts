import type { CallEnd, Cue, Scene } from '../../index.js'
import { hint, suggestion, success, text, thinking, toolCall } from '../../index.js'

/** A worker works in a session of its own, asks the person, and reports. */
export function workerScene(): Scene {
  const order = toolCall(
    'call_order',
    'send_email',
    { to: 'shop@example.com', subject: 'Sample of straw mulch', body: 'One bag, please.' },
    {
      needs: 'approval',
      suggestedRules: [suggestion('send_email', null)],
      takesMs: 600,
      outcome: () => success('Sent.'),
    },
  )
  const task = 'Find out which mulch suits raised beds and order a sample.'
  const invite = toolCall(
    'call_invite',
    'AgentCreate',
    { name: 'researcher', task },
    'The researcher has joined and begins.',
  )
  const worker: Scene = {
    steps: [
      hint('team_message', 'leader', `<team-message from="Lead">\n${task}\n</team-message>`),
      {
        kind: 'model',
        says: [text('Straw it is: light, cheap, and slugs dislike it. I order a sample.')],
        calls: [order],
        usage: [400, 60],
      },
      { kind: 'model', says: [text('Reported.')], usage: [480, 6, 400] },
    ],
  }
  return {
    steps: [
      { kind: 'model', says: [text('I’ll ask a helper.')], calls: [invite], usage: [520, 60] },
      { kind: 'worker', name: 'researcher', scene: worker, report: reportScene },
      {
        kind: 'model',
        says: [text('The researcher is at work. If a decision is yours, it will appear here.')],
        usage: [610, 24, 520],
      },
    ],
  }
}

function reportScene(ends: ReadonlyMap<string, CallEnd>): Scene {
  const isOrdered = ends.get('call_order')?.state === 'success'
  const report = isOrdered
    ? 'Straw mulch it is; a sample is ordered.'
    : 'Straw mulch it is; no sample was ordered.'
  const words = isOrdered
    ? 'The researcher recommends **straw mulch** and has ordered a sample.'
    : 'The researcher recommends **straw mulch**. You kept the order back, so nothing was sent.'
  return {
    steps: [
      hint('team', 'researcher', `<team-message from="researcher">\n${report}\n</team-message>`),
      { kind: 'model', says: [text(words)], usage: [820, 30, 610] },
    ],
  }
}

/** A slow tool goes on in the background and comes back by itself. */
export function salesScene(): Scene {
  const sql = 'SELECT region, SUM(sales) FROM orders GROUP BY region'
  const query = toolCall(
    'call_query',
    'query_table',
    { sql },
    {
      takesMs: 1500,
      outcome: () => success('The query runs on in the background (id call_query).'),
    },
  )
  const output = `<system-notification>Tool 'query_table' (id call_query) is done.\n\nregion | sum\nWest   | 143055\nNorth  | 128400\nSouth  |  99120\n</system-notification>`
  const table = `The query is done:

| Region | Sales |
|:-------|------:|
| West | 143,055 |
| North | 128,400 |
| South | 99,120 |`
  return {
    steps: [
      { kind: 'model', says: [text('This may take a while.')], calls: [query], usage: [420, 50] },
      {
        kind: 'model',
        says: [text('It runs in the background; I’ll come back to you.')],
        usage: [500, 16, 420],
      },
    ],
    followUp: {
      afterMs: 4000,
      scene: {
        steps: [
          hint('tool_output', 'query_table · call_query', output),
          { kind: 'model', says: [text(table)], usage: [640, 60, 500] },
        ],
      },
    },
  }
}

/** The agent reaches its limit of rounds; let go on, it finds what it looked for. */
export function catalogueScene({ isContinue }: Cue): Scene {
  const look = (page: number, found: string) => ({
    kind: 'model' as const,
    says: [text(`Looking at page ${page}.`)],
    calls: [
      toolCall(
        `call_page${page}`,
        'WebSearch',
        { query: 'rare orchid, white', page },
        { takesMs: 400, outcome: () => success(found) },
      ),
    ],
    usage: [100 * page, 20] as const,
  })
  if (!isContinue) {
    const steps = [look(1, 'Nothing on this page.'), look(2, 'Nothing on this page.')]
    return { steps: [...steps, { kind: 'end', reason: 'exceed_max_iters' }] }
  }
  const words = 'Found on page 3: **Dendrobium kingianum var. album**, 14 plants left.'
  return {
    steps: [
      look(3, 'Dendrobium kingianum var. album — 14 left'),
      { kind: 'model', says: [text(words)], usage: [420, 24, 300] },
    ],
  }
}

/** The model fails in the middle of a sentence; asked again, it does not. */
export function contractScene({ messages }: Cue): Scene {
  const hasFailed = messages.some(({ error }) => error?.type === 'upstream')
  const whole = `## Summary

The contract runs for **24 months** and renews itself for 12 more, unless one side gives notice 90 days before.`
  if (hasFailed) return { steps: [{ kind: 'model', says: [text(whole)], usage: [820, 31] }] }
  return {
    steps: [
      {
        kind: 'model',
        says: [
          thinking('Reading the contract.'),
          text(whole.slice(0, whole.indexOf(' for 12 more'))),
        ],
        fails: { type: 'upstream', message: 'The model provider did not answer in time.' },
      },
    ],
  }
}
