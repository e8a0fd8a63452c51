import { TransportError } from '../protocol/index.js'
import type { BackendCall, CallFailure } from './BackendControls.js'

/** Lets calls through, or not, as a test wants it. */
export interface CallGate {
  /** Lets the next call of a kind fail. */
  failNext(call: BackendCall, failure?: CallFailure): void
  /** Keeps the next call of a kind waiting; gives the way to let it go on. */
  holdNext(call: BackendCall): () => void
  /** Does what a call does, as far as it may. */
  pass<Result>(call: BackendCall, act: () => Result): Promise<Result>
}

/** What is to happen to one call. */
type Fate = { readonly failure: CallFailure } | { readonly released: Promise<void> }

/** Makes a gate that lets all through until it is told otherwise. */
export function createCallGate(): CallGate {
  const fates = new Map<BackendCall, Fate[]>()
  const add = (call: BackendCall, fate: Fate): void => {
    fates.set(call, [...(fates.get(call) ?? []), fate])
  }
  return {
    failNext: (call, failure = {}) => add(call, { failure }),
    holdNext: (call) => {
      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      add(call, { released })
      return release
    },
    pass: async (call, act) => {
      const fate = fates.get(call)?.shift()
      if (fate !== undefined && 'released' in fate) await fate.released
      if (fate === undefined || !('failure' in fate)) return act()
      const { error = serverFailed(call), hasActed = false } = fate.failure
      if (hasActed) act()
      throw error
    },
  }
}

function serverFailed(call: BackendCall): TransportError {
  return new TransportError('server', `The scripted server failed at ${call}.`, { status: 500 })
}
