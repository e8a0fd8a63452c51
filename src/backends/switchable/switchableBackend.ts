import {
  TransportError,
  type AgentBackend,
  type Capabilities,
  type StreamSink,
} from '../../protocol/index.js'

/** A backend that can be changed for another one of the same conversation. */
export interface SwitchableBackend extends AgentBackend {
  /**
   * Goes on with another backend, also in the middle of a run: what is shown stays, the new stream goes on from there, and
   * history heals what neither stream gave. What is on its way by the old one may still arrive. Does nothing for the backend
   * that is in use. What the first one can do and this one cannot is refused from now on.
   *
   * @param next - Reaches the same conversation in another way.
   */
  readonly switchTo: (next: AgentBackend) => void
}

/** A stream that somebody opened, whatever carries it at the moment. */
interface Line {
  readonly sink: StreamSink
  carrier: Carrier
}

type HistoryRange = Parameters<NonNullable<AgentBackend['history']>>[0]
type WorkerNames = Parameters<NonNullable<AgentBackend['workerStatus']>>[0]
type InterruptTarget = Parameters<NonNullable<AgentBackend['interrupt']>>[0]

/** What carries a line. */
interface Carrier {
  retryNow(): void
  /** Ends it; nothing more is heard. What it is to wait for first may still be on its way. */
  close(after?: Promise<unknown>): void
}

/**
 * Makes a conversation whose transport can change while it goes on: from a WebSocket that a proxy blocks to polling, or
 * because the person chose so. The key stays that of the first backend, so the store stays too, with all that is shown.
 *
 * @param first - Where it begins.
 * @example
 * ```ts
 * const backend = switchableBackend(webSocketBackend({ … }))
 * // later, in the middle of a run:
 * backend.switchTo(pollingBackend({ … }))
 * ```
 */
export function switchableBackend(first: AgentBackend): SwitchableBackend {
  const lines = new Set<Line>()
  const calls = new Set<Promise<unknown>>()
  let current = first
  let isNew = false

  function carry(sink: StreamSink): Carrier {
    let isHeard = true
    const handle = current.open({
      events: (batch) => {
        if (!isHeard) return
        isNew = false
        sink.events(batch)
      },
      connection: (state) => {
        if (!isHeard) return
        sink.connection(state)
        if (state.phase === 'open') isNew = false
      },
      anomaly: (what) => {
        if (isHeard) sink.anomaly(what)
      },
    })
    return {
      retryNow: () => handle.retryNow(),
      close: (after) => {
        isHeard = false
        if (after === undefined) handle.close()
        else void after.finally(() => handle.close())
      },
    }
  }

  function track<Result>(call: Promise<Result>): Promise<Result> {
    calls.add(call)
    const forget = (): void => {
      calls.delete(call)
    }
    call.then(forget, forget)
    return call
  }

  return {
    key: first.key,
    get capabilities(): Capabilities {
      const { capabilities } = current
      // Another transport knows no cursor of the one before: a replay is still to come.
      const isReplayed = isNew && capabilities.resume === 'cursor'
      return isReplayed ? { ...capabilities, resume: 'replay' } : capabilities
    },
    ...(first.history && {
      history: (page: HistoryRange) => track(current.history?.(page) ?? refuse('history')),
    }),
    ...(first.status && { status: () => track(current.status?.() ?? refuse('status')) }),
    ...(first.workerStatus && {
      workerStatus: (worker: WorkerNames) =>
        track(current.workerStatus?.(worker) ?? refuse('status of sub-agents')),
    }),
    ...(first.interrupt && {
      interrupt: (target: InterruptTarget) =>
        track(current.interrupt?.(target) ?? refuse('interrupt')),
    }),
    open: (sink) => {
      const line: Line = { sink, carrier: carry(sink) }
      lines.add(line)
      return {
        close: () => {
          lines.delete(line)
          line.carrier.close()
        },
        retryNow: () => line.carrier.retryNow(),
      }
    },
    send: (input) => track(current.send(input)),
    answer: (answers) => track(current.answer(answers)),
    switchTo: (next) => {
      if (next === current) return
      current = next
      isNew = true
      const underWay = Promise.allSettled(calls)
      for (const line of lines) {
        line.carrier.close(underWay)
        line.carrier = carry(line.sink)
      }
    },
  }
}

function refuse(what: string): Promise<never> {
  const message = `The backend that was switched to has no ${what}: switch between such as can do the same.`
  return Promise.reject(new TransportError('rejected', message))
}
