import { onTestFinished, vi } from 'vitest'
import type { ChatOptions, ChatStore } from '../../src/store/index.js'
import { createChatStore } from '../../src/store/index.js'
import type { ScriptedBackend } from './createScriptedBackend.js'

/** Lets promises settle without letting time pass. */
export async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
}

/** A store whose stream is open and whose history is read. Needs fake timers. */
export async function openStore(
  backend: ScriptedBackend,
  options: ChatOptions = {},
): Promise<ChatStore> {
  const store = createChatStore(backend, options)
  const disconnect = store.connect()
  onTestFinished(disconnect)
  backend.setConnection({ phase: 'open' })
  await settle()
  return store
}

/** A promise that a test settles. */
export function createGate(): {
  readonly promise: Promise<void>
  readonly open: () => void
  readonly fail: (error: unknown) => void
} {
  let open = (): void => {}
  let fail = (_error: unknown): void => {}
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}
