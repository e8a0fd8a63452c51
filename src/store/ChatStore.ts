import type { AgentBackend } from '../protocol/index.js'
import type { ChatCommands } from './ChatCommands.js'
import type { ChatTaps } from './ChatOptions.js'
import type { ChatState } from './ChatState.js'

/** The store of one conversation. It can be read like any zustand store, and only its commands and its backend change it. */
export interface ChatStore {
  /** The backend in use: the latest one that was given for this key. */
  readonly backend: AgentBackend
  /** What a person can do. */
  readonly commands: ChatCommands
  /** The state; the same object until the next commit. */
  readonly getState: () => ChatState
  /** The state before anything was heard: what a server renders. */
  readonly getInitialState: () => ChatState
  /**
   * Hears about each commit.
   *
   * @param listener - Called with the new and the previous state.
   * @returns Stops it.
   */
  readonly subscribe: (listener: (state: ChatState, previous: ChatState) => void) => () => void
  /**
   * Holds the connection open. The first holder opens it; it closes shortly after the last one let go, so that a
   * component that is mounted again at once keeps it. May be opened again.
   *
   * @returns Lets go; further calls do nothing.
   */
  readonly connect: () => () => void
  /**
   * Adds taps to those given when the store was made.
   *
   * @param taps - Read at each call, so members may be getters or change.
   * @returns Removes them.
   */
  readonly addTaps: (taps: ChatTaps) => () => void
  /**
   * Takes a newer backend of the same key for what is sent or fetched from now on, such as one with fresh credentials;
   * the open stream stays as it is. Throws a `TypeError` for another key.
   *
   * @param backend - Same key, same conversation.
   */
  readonly adopt: (backend: AgentBackend) => void
}
