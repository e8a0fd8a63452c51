/** An agent one can talk to. */
export interface AgentSummary {
  /** The agent's id. */
  readonly id: string
  /** Its name. */
  readonly name: string
}

/** A conversation with an agent. */
export interface SessionSummary {
  /** The session's id. */
  readonly id: string
  /** The agent it belongs to. */
  readonly agentId: string
  /** Its name; a time stamp by default. */
  readonly name: string
  /** When it was last used: naive ISO time in the server's zone. */
  readonly updatedAt: string | null
  /** Whether a run is under way. */
  readonly isRunning: boolean
}

/** What a server offers to talk to: agents and sessions. Fetched and cached by queries, never streamed. All methods reject with a `TransportError`. */
export interface AgentDirectory {
  /** Same key = same server and user; part of every query key. */
  readonly key: string
  /** Lists the agents. */
  agents(): Promise<readonly AgentSummary[]>
  /** Lists the sessions of one agent. */
  sessions(agentId: string): Promise<readonly SessionSummary[]>
  /** Begins a session and gives its id. */
  createSession(agentId: string, options?: { readonly name?: string }): Promise<string>
  /** Renames a session. */
  renameSession(agentId: string, sessionId: string, name: string): Promise<void>
  /** Deletes a session with all its messages. */
  deleteSession(agentId: string, sessionId: string): Promise<void>
}
