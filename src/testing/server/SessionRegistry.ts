import { createId } from '../../protocol/index.js'
import { AgentSession, type AgentScript, type Pace } from '../index.js'
import { stampNow } from './stampNow.js'
import { HttpProblem } from './validation.js'

/** What all sessions of a server share. */
export interface SessionRegistryInit {
  /** The agents. */
  readonly agents: readonly AgentScript[]
  /** Lets time pass. */
  readonly pace: Pace
  /** How many events a new stream is told at most. */
  readonly replayLimit: number
  /** How many events of a session are kept for clients that say what they have. */
  readonly logLimit: number
}

/** All sessions of a server, each the property of one user. */
export class SessionRegistry {
  /** When it began. */
  readonly startedAt: string = stampNow()
  readonly #init: SessionRegistryInit
  readonly #sessions = new Map<string, AgentSession>()
  readonly #knownUsers = new Set<string>()
  readonly #deletionListeners = new Set<(session: AgentSession) => void>()

  /** @param init - What they share. */
  constructor(init: SessionRegistryInit) {
    this.#init = init
  }

  /** The agents of the script. */
  get agents(): readonly AgentScript[] {
    return this.#init.agents
  }

  /** Begins a session, under an id of its own or a given one. Throws an `HttpProblem` for an unknown agent. */
  create(userId: string, agentId: string, name?: string, id?: string): AgentSession {
    this.#welcome(userId)
    const agent = this.#init.agents.find((each) => each.id === agentId)
    if (agent === undefined) throw new HttpProblem(404, `Agent '${agentId}' not found.`)
    const init = {
      ...(name !== undefined && { name }),
      ...(id !== undefined && { id }),
    }
    return this.#add(this.#make(userId, agent, init))
  }

  /** The sessions of a user with an agent, the newest first. */
  list(userId: string, agentId: string): readonly AgentSession[] {
    this.#welcome(userId)
    return [...this.#sessions.values()]
      .filter(({ init }) => init.userId === userId && init.agent.id === agentId)
      .toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
  }

  /** A session of a user. Unknown and another user's look the same. */
  find(userId: string, agentId: string, sessionId: string): AgentSession | undefined {
    const session = this.#sessions.get(sessionId)
    const isTheirs = session?.init.userId === userId && session.init.agent.id === agentId
    return isTheirs ? session : undefined
  }

  /** Deletes a session. */
  delete(session: AgentSession): void {
    session.dispose()
    this.#sessions.delete(session.id)
    for (const hear of this.#deletionListeners) hear(session)
    for (const worker of session.workers) this.delete(worker)
  }

  /** Tells of sessions that are deleted, until it is called off. */
  onDelete(listener: (session: AgentSession) => void): () => void {
    this.#deletionListeners.add(listener)
    return () => {
      this.#deletionListeners.delete(listener)
    }
  }

  /** Ends all sessions. */
  dispose(): void {
    for (const session of this.#sessions.values()) session.dispose()
  }

  /** The first time a user comes, the scripts' stored sessions become theirs. */
  #welcome(userId: string): void {
    if (this.#knownUsers.has(userId)) return
    this.#knownUsers.add(userId)
    for (const agent of this.#init.agents) {
      for (const stored of agent.sessions?.() ?? []) {
        this.#add(this.#make(userId, agent, stored))
      }
    }
  }

  #make(
    userId: string,
    agent: AgentScript,
    more: Partial<ConstructorParameters<typeof AgentSession>[0]>,
  ): AgentSession {
    const { pace, replayLimit, logLimit } = this.#init
    return new AgentSession({
      userId,
      agent,
      pace,
      marks: { id: createId, stamp: stampNow },
      replayLimit,
      logLimit,
      onWorker: (worker) => this.#add(worker),
      ...more,
    })
  }

  #add(session: AgentSession): AgentSession {
    this.#sessions.set(session.id, session)
    return session
  }
}
