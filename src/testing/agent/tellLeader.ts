import type { AgentEvent, JsonObject } from '../../protocol/index.js'
import { asJson } from './asJson.js'
import type { LogEntry } from './SequenceLog.js'

/** The session of a leader, as far as its workers matter. */
export interface LeaderSession {
  /** What told of requests of workers that are open, by worker and reply. */
  readonly workerRequests: Map<string, LogEntry>
  /** What told that such requests are settled. */
  readonly workerAnswers: Map<string, LogEntry>
  /** Sends an event of the session. */
  announce(name: string, value: JsonObject): LogEntry
}

/** Who a worker is. */
export interface WorkerNames {
  /** Its session. */
  readonly sessionId: string
  /** Its id. */
  readonly agentId: string
  /** Its name. */
  readonly agentName: string
}

/**
 * Says on a leader's stream what a worker's own says: its requests, and that its reply ended.
 *
 * @param leader - The leader's session.
 * @param worker - The worker.
 * @param event - What the worker's stream said.
 * @param now - The time.
 */
export function tellLeader(
  leader: LeaderSession,
  { sessionId, agentId, agentName }: WorkerNames,
  event: AgentEvent,
  now: string,
): void {
  if (event.type === 'REPLY_END') {
    const key = `${sessionId}:${event.reply_id}`
    const value = { worker_session_id: sessionId, reply_id: event.reply_id }
    const entry = leader.announce('subagent_user_confirm_result', value)
    if (leader.workerRequests.delete(key)) leader.workerAnswers.set(key, entry)
    return
  }
  if (event.type !== 'REQUIRE_USER_CONFIRM' && event.type !== 'REQUIRE_EXTERNAL_EXECUTION') return
  const entry = leader.announce('subagent_require_user_confirm', {
    worker_session_id: sessionId,
    worker_agent_id: agentId,
    worker_agent_name: agentName,
    reply_id: event.reply_id,
    event_type: event.type.toLowerCase(),
    event: asJson(event),
    created_at: now,
  })
  leader.workerRequests.set(`${sessionId}:${event.reply_id}`, entry)
}
