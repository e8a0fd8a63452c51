'use client'
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { AgentBackend } from '../protocol/index.js'
import type { ChatOptions, ChatStore, ChatTaps } from '../store/index.js'
import type { ChatRegistry } from './createChatRegistry.js'

const NO_OPTIONS: ChatOptions = {}

/**
 * The store of a backend, connected while the caller is mounted; taps may change with each render.
 *
 * @param registry - Where the stores are.
 * @param backend - Whose conversation; without one the fallback is held.
 * @param options - Settings and taps of the caller.
 * @param fallback - The current conversation, if any.
 */
export function useHeldStore(
  registry: ChatRegistry,
  backend: AgentBackend | undefined,
  options: ChatOptions = NO_OPTIONS,
  fallback: ChatStore | null = null,
): ChatStore | null {
  const store = backend === undefined ? fallback : registry.get(backend, options)
  const latest = useRef<ChatTaps>(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (backend !== undefined) store?.adopt(backend)
  }, [store, backend])
  useEffect(() => {
    if (store === null) return undefined
    const removeTaps = store.addTaps(createLatestTaps(latest))
    const release = registry.hold(store)
    return () => {
      release()
      removeTaps()
    }
  }, [registry, store])
  return store
}

/** Taps that look up the caller's latest ones each time they are read. */
function createLatestTaps(latest: RefObject<ChatTaps>): ChatTaps {
  return {
    onEvent: (event) => latest.current.onEvent?.(event),
    onUsage: (report) => latest.current.onUsage?.(report),
    onRequest: (request) => latest.current.onRequest?.(request),
    onError: (error) => latest.current.onError?.(error),
    onAnomaly: (anomaly) => latest.current.onAnomaly?.(anomaly),
  }
}
