import { createId, type AgentEvent, type JsonObject } from '../../protocol/index.js'
import type { AgentScript, HelperStep } from './AgentScript.js'
import { AgentSession } from './AgentSession.js'
import type { Clock } from './Clock.js'
import { stampNow } from './stampNow.js'
import { HttpProblem } from './validation.js'

/** What all sessions of a server share. */
export interface SessionRegistryInit {
  /** The agents. */
  readonly agents: readonly AgentScript[]
  /** Lets time pass. */
  readonly clock: Clock
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
  /** Helpers by the session of their leader. */
  readonly #helpers = new Map<string, AgentSession[]>()
  readonly #knownUsers = new Set<string>()

  /** @param init - What they share. */
  constructor(init: SessionRegistryInit) {
    this.#init = init
  }

  /** The agents of the script. */
  get agents(): readonly AgentScript[] {
    return this.#init.agents
  }

  /** Begins a session. Throws an `HttpProblem` for an unknown agent. */
  create(userId: string, agentId: string, name?: string): AgentSession {
    this.#welcome(userId)
    const agent = this.#init.agents.find(({ id }) => id === agentId)
    if (agent === undefined) throw new HttpProblem(404, `Agent '${agentId}' not found.`)
    return this.#add(this.#make(userId, agent, name === undefined ? {} : { name }))
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

  /** The helpers of a session. */
  helpersOf(session: AgentSession): readonly AgentSession[] {
    return this.#helpers.get(session.id) ?? []
  }

  /** Deletes a session. */
  delete(session: AgentSession): void {
    session.dispose()
    this.#sessions.delete(session.id)
    for (const helper of this.helpersOf(session)) this.delete(helper)
    this.#helpers.delete(session.id)
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
    const { clock, replayLimit, logLimit } = this.#init
    const createHelper = (leader: AgentSession, step: HelperStep): void => {
      this.#startHelper(leader, step)
    }
    const limits = { replayLimit, logLimit }
    return new AgentSession({ userId, agent, clock, ...limits, createHelper, ...more })
  }

  #add(session: AgentSession): AgentSession {
    this.#sessions.set(session.id, session)
    return session
  }

  #startHelper(leader: AgentSession, step: HelperStep): void {
    const agent: AgentScript = { id: createId(), name: step.name, perform: () => step.scene }
    const helper = this.#make(leader.init.userId, agent, {
      name: step.name,
      onReplyEnd: (ends) => leader.wake(step.report(ends)),
    })
    this.#add(helper)
    this.#helpers.set(leader.id, [...this.helpersOf(leader), helper])
    helper.listen((event) => tellLeader(leader, helper, event))
    leader.announce('team_updated')
    helper.wake(step.scene)
  }
}

/** What a leader's stream says of a helper: its requests, and that its reply ended. */
function tellLeader(leader: AgentSession, helper: AgentSession, event: AgentEvent): void {
  if (event.type === 'REPLY_END') {
    leader.helperRequests.delete(`${helper.id}:${event.reply_id}`)
    leader.announce('subagent_user_confirm_result', {
      worker_session_id: helper.id,
      reply_id: event.reply_id,
    })
    return
  }
  if (event.type !== 'REQUIRE_USER_CONFIRM' && event.type !== 'REQUIRE_EXTERNAL_EXECUTION') return
  const value: JsonObject = {
    worker_session_id: helper.id,
    worker_agent_id: helper.init.agent.id,
    worker_agent_name: helper.init.agent.name,
    reply_id: event.reply_id,
    event_type: event.type.toLowerCase(),
    event: asJson(event),
    created_at: stampNow(),
  }
  const entry = leader.announce('subagent_require_user_confirm', value)
  leader.helperRequests.set(`${helper.id}:${event.reply_id}`, entry)
}

/** Events are JSON; the cast is needed because interfaces have no index signature. */
function asJson(event: AgentEvent): JsonObject {
  return event as unknown as JsonObject
}
