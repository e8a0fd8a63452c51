import { openSse, request, type AgentBackend } from '../../../src/entries/core.js'
import { parrotDialect } from './parrotDialect.js'

/** The parrot at `url`: `GET /stream` tells all that it ever said and goes on, `POST /say` asks. */
export function parrotBackend(url: string): AgentBackend {
  return {
    key: url,
    capabilities: {
      history: false,
      status: false,
      interrupt: false,
      resume: 'replay',
      partialAnswers: false,
      editArguments: false,
      rules: false,
      denyReason: false,
      attachments: [],
      sendWhileRunning: 'refused',
    },
    open(sink) {
      let decoder = parrotDialect.createDecoder()
      return openSse({
        url: `${url}/stream`,
        onState: (state) => {
          // Each connection begins with the first frame, and so with a new decoder.
          if (state.phase === 'connecting') decoder = parrotDialect.createDecoder()
          sink.connection(state)
        },
        onFrame: ({ data }) => {
          const { inputs, anomalies } = decoder.push(parse(data))
          sink.events(inputs)
          anomalies.forEach((what) => sink.anomaly(what))
        },
      })
    },
    async send(input) {
      await request({ url: `${url}/say`, body: parrotDialect.encode.send(input) })
    },
    async answer(answers) {
      answers.forEach((answer) => parrotDialect.encode.answer(answer))
    },
  }
}

/** What is no JSON is an anomaly like any other: the decoder tells of it. */
function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
