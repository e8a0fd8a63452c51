import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createChatRegistry } from '../../src/hooks/createChatRegistry.js'
import type { Journal } from '../../src/protocol/index.js'
import { createScriptedBackend } from '../store/createScriptedBackend.js'

describe('createChatRegistry', () => {
  it('gives a conversation its journal, which is read before the stream opens', async () => {
    const kept = [{ type: 'CUSTOM', name: 'kept', value: { from: 'disk' } }] as const
    const open = vi.fn<Journal['open']>(() => ({ read: async () => kept, append: () => {} }))
    const backend = createScriptedBackend()
    const registry = createChatRegistry()
    const store = registry.get(backend, { journal: { open, clear: async () => {} } })
    expect(open).not.toHaveBeenCalled()
    onTestFinished(registry.hold(store))
    await vi.waitFor(() => expect(backend.opened).toBe(1))
    expect(open).toHaveBeenCalledExactlyOnceWith(backend.key, expect.any(Function))
    expect(store.getState().conversation.notices).toEqual({ kept: { from: 'disk' } })
  })
})
