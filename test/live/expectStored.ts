import { expect, vi } from 'vitest'
import type { LiveChat } from './LiveChat.js'
import { outline, replies } from './normalise.js'

/** What the chat shows comes to equal what the service stored. */
export async function expectStored(chat: LiveChat, timeoutMs = 8000): Promise<void> {
  await vi.waitFor(
    async () => {
      const stored = await chat.session.storedMessages()
      expect(replies(chat.messages)).toEqual(replies(stored))
      expect(outline(chat.messages)).toEqual(outline(stored))
    },
    { timeout: timeoutMs, interval: 100 },
  )
}
