import { act } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { ChatRoot } from '../../src/components/index.js'
import type { ChatRootProps } from '../../src/components/index.js'
import { AgentStreamProvider } from '../../src/hooks/index.js'
import type { ChatOptions } from '../../src/hooks/index.js'
import type { AgentBackend, ConversationInput } from '../../src/protocol/index.js'
import type { StillBackend } from '../../stories/fixtures/stillBackend.js'

/** Commits at once, so that a test need not wait for frames. */
export const atOnce: ChatOptions = {
  schedule: (commit) => {
    queueMicrotask(commit)
    return () => undefined
  },
}

/** Lets a conversation come to rest: what was said is heard, and what was heard is shown. */
export async function settled(): Promise<void> {
  await act(() => new Promise<void>((resolve) => setTimeout(resolve)))
}

/** A component in a conversation and in a root, as in an app. */
export function inChat(
  backend: AgentBackend,
  children: ReactNode,
  root: Omit<ChatRootProps, 'children'> = {},
): ReactElement {
  return (
    <AgentStreamProvider backend={backend} options={atOnce}>
      <ChatRoot {...root}>{children}</ChatRoot>
    </AgentStreamProvider>
  )
}

/** Says something on a backend's stream, and lets it be heard. */
export async function say(
  backend: StillBackend,
  ...inputs: readonly ConversationInput[]
): Promise<void> {
  await act(async () => {
    backend.say(...inputs)
    await new Promise((resolve) => setTimeout(resolve))
  })
}
