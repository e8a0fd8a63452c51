// A backend in the page: stored messages, and a stream that the bench writes to.
import { AssistantMsg, UserMsg, appendEvent } from 'agentscope-react/core'

const stamp = '2026-01-01T00:00:00.000000'
const capabilities = {
  history: true,
  status: true,
  interrupt: true,
  resume: 'replay',
  partialAnswers: true,
  editArguments: true,
  rules: true,
  denyReason: false,
  attachments: [],
  sendWhileRunning: 'refused',
}

/** The bench's short messages as AgentScope stores them. */
export function stored(messages) {
  return messages.map(({ id, role, text }) => {
    const content = [
      { type: 'text', id: `${id}-text`, text, created_at: stamp, finished_at: stamp },
    ]
    const message =
      role === 'user'
        ? UserMsg({ id, name: 'user', content, created_at: stamp })
        : AssistantMsg({ id, name: 'agent', content, created_at: stamp })
    return {
      ...message,
      finished_at: role === 'user' ? null : stamp,
      finished_reason: role === 'user' ? null : 'completed',
    }
  })
}

let count = 0

/** Makes a backend whose history is `messages`. */
export function createBenchBackend(messages = []) {
  const key = `bench-${(count += 1)}`
  const kept = [...messages]
  let sink
  let isRunning = false

  const emit = (events) => sink?.events(events)
  return {
    key,
    capabilities,
    open(to) {
      sink = to
      queueMicrotask(() => to.connection({ phase: 'open' }))
      return { close: () => (sink = undefined), retryNow() {} }
    },
    async history({ before, limit }) {
      const end = before === undefined ? kept.length : kept.findIndex(({ id }) => id === before)
      const start = Math.max(0, end - limit)
      return { messages: kept.slice(start, end), hasMore: start > 0, isRunning }
    },
    status: async () => (isRunning ? 'running' : 'idle'),
    send: async () => {},
    answer: async () => {},
    interrupt: async () => {},
    /** Begins replies of one text block each; `write` adds to one of them, `end` stores them. */
    reply(replyId) {
      isRunning = true
      const block_id = `${replyId}-text`
      let events = 0
      const make = (type, rest) => ({
        type,
        id: `${replyId}-${(events += 1)}`,
        created_at: stamp,
        reply_id: replyId,
        ...rest,
      })
      let text = ''
      const begin = [
        make('REPLY_START', { session_id: key, name: 'agent', role: 'assistant' }),
        make('TEXT_BLOCK_START', { block_id }),
      ]
      emit(begin)
      return {
        write(delta) {
          text += delta
          emit([make('TEXT_BLOCK_DELTA', { block_id, delta })])
        },
        end() {
          const rest = [
            make('TEXT_BLOCK_END', { block_id }),
            make('REPLY_END', { session_id: key }),
          ]
          const whole = make('TEXT_BLOCK_DELTA', { block_id, delta: text })
          const message = AssistantMsg({
            id: replyId,
            name: 'agent',
            content: [],
            created_at: stamp,
          })
          kept.push(
            [...begin, whole, ...rest].reduce((sum, event) => appendEvent(sum, event), message),
          )
          isRunning = false
          emit(rest)
        },
      }
    },
  }
}
