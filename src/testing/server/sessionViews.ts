import type { JsonObject } from '../../protocol/index.js'
import type { AgentScript, AgentSession } from '../index.js'

/** An agent as `GET /agent/` lists it. */
export function agentView(agent: AgentScript, userId: string, createdAt: string): JsonObject {
  return {
    id: agent.id,
    created_at: createdAt,
    updated_at: createdAt,
    user_id: userId,
    source: 'user',
    editable: false,
    data: {
      name: agent.name,
      system_prompt: agent.systemPrompt ?? "You're a helpful assistant.",
      chat_config: { context_config: {}, react_config: { max_iters: 50 }, invite_config: {} },
    },
  }
}

/** A session as `GET /sessions/` lists it. */
export function sessionView(session: AgentSession): JsonObject {
  const { workers } = session
  const viewOf = ({ init, createdAt }: AgentSession): JsonObject =>
    agentView(init.agent, init.userId, createdAt)
  return {
    session: sessionRecord(session),
    is_running: session.isRunning,
    status: session.status,
    team:
      workers.length === 0
        ? null
        : {
            team: { id: `team-${session.id}`, name: session.name },
            leader_agent: viewOf(session),
            members: workers.map((worker) => ({ agent: viewOf(worker), session_id: worker.id })),
          },
  }
}

/** A session as `PATCH /sessions/{id}` answers. */
export function sessionRecord(session: AgentSession): JsonObject {
  const { agent, userId } = session.init
  return {
    id: session.id,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    user_id: userId,
    agent_id: agent.id,
    origin: { type: 'user' },
    team_id: null,
    config: {
      workspace_id: agent.id,
      name: session.name,
      naming: { auto: false },
      cwd: null,
      chat_model_config: null,
      fallback_chat_model_config: null,
      tts_model_config: null,
      realtime_model_config: null,
      knowledge_config: null,
    },
    state: {
      session_id: session.id,
      summary: '',
      context: [],
      tasks_context: { tasks: [] },
      permission_context: session.rules.toContext(),
    },
  }
}
