'use client'
import { useContext, useMemo, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { AgentBackend } from '../protocol/index.js'
import type { ChatOptions } from '../store/index.js'
import { ChatContext } from './ChatContext.js'
import { createChatRegistry } from './createChatRegistry.js'
import { useHeldStore } from './useHeldStore.js'

/** Props of `AgentStreamProvider`. */
export interface AgentStreamProviderProps {
  /** The current conversation's backend. Left out, a conversation of an outer provider stays the current one. */
  readonly backend?: AgentBackend | undefined
  /** Settings and taps of the current conversation. Taps may change with each render. */
  readonly options?: ChatOptions | undefined
  /** What may use the conversation. */
  readonly children?: ReactNode
}

/**
 * Gives a conversation to the hooks below it, and connects it while mounted. Renders no element.
 *
 * Below one outermost provider all callers with the same `backend.key` share one store and one connection, so the backend
 * may be made anew with each render. Providers can be nested: the inner one's backend is the current conversation below it.
 * Safe on a server, where nothing connects.
 *
 * @example
 * ```tsx
 * <AgentStreamProvider backend={agentServiceBackend({ baseUrl, agentId, sessionId, headers })}>
 *   <Transcript />
 * </AgentStreamProvider>
 * ```
 */
export function AgentStreamProvider(props: AgentStreamProviderProps): ReactElement {
  const { backend, options, children } = props
  const outer = useContext(ChatContext)
  const [ownRegistry] = useState(createChatRegistry)
  const registry = outer?.registry ?? ownRegistry
  const store = useHeldStore(registry, backend, options, outer?.store)
  const value = useMemo(() => ({ registry, store }), [registry, store])
  return <ChatContext.Provider value={value}>{children}</ChatContext.Provider>
}
