import type { CallEnd, Cue, Scene, Step } from '../../index.js'
import { suggestion, success, text, thinking, toolCall } from '../../index.js'
import { SHOWCASE, STORY, TRIP } from './answers.js'
import { clipWebm } from './clip.js'
import { chartPng, duskPng, melodyWav, salesCsv } from './media.js'

/** Thinking, three tools at once with results out of order, pictures, a table. */
export function tripScene(): Scene {
  const weather = (id: string, city: string, takesMs: number, sky: string, degrees: number) =>
    toolCall(
      id,
      'get_weather',
      { city, days: 3 },
      { takesMs, outcome: () => success(JSON.stringify({ city, sky, degrees, wind_kmh: 14 })) },
    )
  const search = toolCall(
    'call_search',
    'WebSearch',
    { query: 'Lisbon in three days, tram 28', limit: 3 },
    {
      takesMs: 1400,
      outcome: () => ({
        output: [
          { text: '1. Tram 28, end to end (example.com)\n2. A view of the river:\n' },
          { id: 'dusk', mediaType: 'image/png', bytes: duskPng() },
          { text: '3. A map of the line:\n' },
          { id: 'map', mediaType: 'image/png', url: 'https://images.example.com/tram28.png' },
        ],
        metadata: { provider: 'scripted', hits: 3 },
      }),
    },
  )
  const degrees = [19, 20, 19, 18, 21, 22, 20]
  const chart = toolCall(
    'call_chart',
    'plot_chart',
    { title: 'Lisbon, °C', kind: 'bar', values: degrees },
    {
      takesMs: 500,
      outcome: () => ({
        output: [
          { text: 'Drew 7 bars.' },
          { id: 'chart', mediaType: 'image/png', bytes: chartPng(degrees) },
        ],
        metadata: { width: 480, height: 220 },
      }),
    },
  )
  return {
    steps: [
      {
        kind: 'model',
        says: [
          thinking(
            'They want a plan, and a plan depends on the weather. I look it up for Lisbon and for Porto, which is close, and search for what is worth seeing. All three can run at once.',
          ),
          text('Let me look at the weather first, and at what is worth your time.'),
        ],
        calls: [
          weather('call_lisbon', 'Lisbon', 900, 'sun and clouds', 19),
          weather('call_porto', 'Porto', 300, 'rain', 16),
          search,
        ],
        usage: [812, 96],
      },
      { kind: 'model', calls: [chart], usage: [1460, 58, 812] },
      { kind: 'model', says: [text(TRIP)], usage: [1702, 214, 1460] },
    ],
  }
}

/** Rich markdown after a moment of thinking. */
export function showcaseScene(): Scene {
  const plan =
    'A note that shows headings, lists, a table and code would do. I add Chinese, Japanese and Arabic, since scripts mix in real answers.'
  return {
    steps: [{ kind: 'model', says: [thinking(plan), text(SHOWCASE)], usage: [420, 690] }],
  }
}

/** A tool that runs in the reader's browser. */
export function timeScene(): Scene {
  const ask = toolCall('call_time', 'get_local_time', { style: 'full' }, { needs: 'execution' })
  return {
    steps: [
      { kind: 'model', says: [text('Your browser knows best.')], calls: [ask], usage: [380, 22] },
      {
        kind: 'branch',
        next: (ends) => [
          { kind: 'model', says: [text(tellTime(ends.get('call_time')))], usage: [430, 30, 380] },
        ],
      },
    ],
  }
}

function tellTime(end: CallEnd | undefined): string {
  if (end?.state !== 'success') return 'I could not read your clock, so I will not guess.'
  return `It is **${end.text}** where you are.`
}

/** One tool that asks. */
export function emailScene(): Scene {
  const email = toolCall(
    'call_email',
    'send_email',
    {
      to: 'ana@example.com',
      subject: 'Dinner on Thursday',
      body: 'Dear Ana,\n\nThursday at eight works for us. Shall I book the place by the river?\n\nBest,\nMe',
    },
    {
      needs: 'approval',
      suggestedRules: [suggestion('send_email', null)],
      takesMs: 700,
      outcome: () => success('Sent. Message id: 7c21@example.com'),
    },
  )
  const plan = 'The message is short. Sending it cannot be undone, so the tool will ask first.'
  return {
    steps: [
      {
        kind: 'model',
        says: [thinking(plan), text('Here is what I would send.')],
        calls: [email],
        usage: [512, 84],
      },
      answerTo(
        'call_email',
        'Sent. Ana will have it in a minute.',
        'Not sent. Tell me what to change, and I will write it again.',
      ),
    ],
  }
}

/** Two questions at once beside a tool that needs none. */
export function bookingScene(): Scene {
  const table = toolCall(
    'call_table',
    'create_event',
    { title: 'Dinner at Cais 7', start: '2026-12-03T20:00', minutes: 120 },
    { needs: 'approval', takesMs: 600, outcome: () => success('Booked: table 4, by the window.') },
  )
  const note = toolCall(
    'call_note',
    'publish_post',
    { channel: '#friends', text: 'Dinner on Thursday, eight o’clock, Cais 7. Who comes?' },
    { needs: 'approval', takesMs: 400, outcome: () => success('Posted as #1881.') },
  )
  const weather = toolCall('call_sky', 'get_weather', { city: 'Lisbon' }, 'Dry, 17 °C at eight.')
  return {
    steps: [
      {
        kind: 'model',
        says: [text('I can do both; the weather holds as well.')],
        calls: [table, note, weather],
        usage: [640, 130],
      },
      {
        kind: 'branch',
        next: (ends) => [{ kind: 'model', says: [text(tellBooking(ends))], usage: [860, 40, 640] }],
      },
    ],
  }
}

function tellBooking(ends: ReadonlyMap<string, CallEnd>): string {
  const did = (id: string): boolean => ends.get(id)?.state === 'success'
  const table = did('call_table') ? 'The table is **booked**' : 'I did not book the table'
  const note = did('call_note') ? 'your friends know' : 'I told nobody'
  return `${table}, and ${note}.`
}

/** A spoken answer: sound that arrives beside the text. */
export function spokenScene(): Scene {
  const voice = {
    kind: 'bytes',
    id: 'audio_0',
    mediaType: 'audio/wav',
    name: null,
    chunks: melodyWav(),
  } as const
  const words = text('Good morning. Today is calm: two meetings, and lunch at noon.')
  return {
    steps: [{ kind: 'model', says: [words, voice], isWoven: true, usage: [210, 380] }],
  }
}

/** A file, a film and a film that stays elsewhere. */
export function filesScene(): Scene {
  return {
    steps: [
      {
        kind: 'model',
        says: [
          text(
            'Here is the table as a file, a short film, and a longer one that stays where it is.',
          ),
          {
            kind: 'bytes',
            id: 'file_sales',
            mediaType: 'text/csv',
            name: 'sales.csv',
            chunks: [salesCsv()],
          },
          {
            kind: 'bytes',
            id: 'file_clip',
            mediaType: 'video/webm',
            name: 'orbit.webm',
            chunks: [clipWebm()],
          },
          {
            kind: 'link',
            id: 'file_tour',
            mediaType: 'video/mp4',
            name: 'tour.mp4',
            url: 'https://media.example.com/tour.mp4',
          },
        ],
        usage: [300, 70],
      },
    ],
  }
}

/** A long text: time enough to stop it, to leave the page, to come back. */
export function storyScene(): Scene {
  const plan = 'A slow story by the sea, with a dog in it.'
  return { steps: [{ kind: 'model', says: [thinking(plan), text(STORY)], usage: [190, 420] }] }
}

/** What it says to anything else. */
export function plainScene(cue: Cue): Scene {
  const said = cue.text.replaceAll(/\s+/g, ' ')
  const quote = said.length > 80 ? `${said.slice(0, 79).trimEnd()}…` : said
  const words = `I follow a script, so I cannot really help with “${quote}”. These I know by heart:

- **Plan a trip to Lisbon**: tools at once, pictures, a table
- **Send an email** or **book a table**: I ask before I act
- **What time is it?**: a tool that runs in your browser
- **Fix the bug**, **run the tests**, **show the build log**
- **Ask the researcher**: a helper who asks you, too
- **Tell me a story**: long enough to stop me
- **Read it aloud**, **show me files**, **write with style**
- **Search the catalogue**, **sum the sales**, **summarise the contract**: a limit, a slow tool, a failure`
  const plan = 'Nothing in my script matches. I say so, and what I can do instead.'
  return { steps: [{ kind: 'model', says: [thinking(plan), text(words)], usage: [140, 180] }] }
}

/**
 * The last words of a scene with a question, one answer for yes and one for no.
 *
 * @param id - The call that asked.
 * @param done - When it ran.
 * @param refused - When it did not.
 */
export function answerTo(id: string, done: string, refused: string): Step {
  return {
    kind: 'branch',
    next: (ends) => {
      const words = ends.get(id)?.state === 'success' ? done : refused
      return [{ kind: 'model', says: [text(words)], usage: [700, 24, 512] }]
    },
  }
}
