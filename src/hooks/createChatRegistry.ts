import type { AgentBackend } from '../protocol/index.js'
import type { ChatSettings, ChatStore } from '../store/index.js'
import { createChatStore } from '../store/index.js'

/** The stores under one provider, one per backend key. */
export interface ChatRegistry {
  /**
   * The store of a backend's conversation, made when there is none. Making one opens nothing, so this may run while rendering.
   *
   * @param backend - Its key decides.
   * @param settings - Count only when the store is made.
   */
  readonly get: (backend: AgentBackend, settings: ChatSettings) => ChatStore
  /**
   * Holds a store's connection open and the store in the registry.
   *
   * @param store - One that `get` gave.
   * @returns Lets go; after the last holder the registry forgets the store.
   */
  readonly hold: (store: ChatStore) => () => void
}

/** Makes an empty registry. */
export function createChatRegistry(): ChatRegistry {
  const stores = new Map<string, ChatStore>()
  const holders = new Map<ChatStore, number>()

  function get(backend: AgentBackend, settings: ChatSettings): ChatStore {
    const known = stores.get(backend.key)
    if (known !== undefined) return known
    const { userName, pageSize, outbox, journal, schedule } = settings
    // Taps are left out: each caller adds its own, and takes them away again.
    const store = createChatStore(backend, {
      ...(userName === undefined ? {} : { userName }),
      ...(pageSize === undefined ? {} : { pageSize }),
      ...(outbox === undefined ? {} : { outbox }),
      ...(journal === undefined ? {} : { journal }),
      ...(schedule === undefined ? {} : { schedule }),
    })
    stores.set(backend.key, store)
    return store
  }

  function hold(store: ChatStore): () => void {
    const { key } = store.backend
    stores.set(key, store)
    holders.set(store, (holders.get(store) ?? 0) + 1)
    const disconnect = store.connect()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      disconnect()
      const left = (holders.get(store) ?? 1) - 1
      if (left > 0) holders.set(store, left)
      else {
        holders.delete(store)
        forgetLater(key, store)
      }
    }
  }

  /** A component that is mounted again at once, as StrictMode does, finds its store again. */
  function forgetLater(key: string, store: ChatStore): void {
    setTimeout(() => {
      if (!holders.has(store) && stores.get(key) === store) stores.delete(key)
    }, 0)
  }

  return { get, hold }
}
