/** The service's own words for where a session stands. */
export type SessionStatus = 'running' | 'idle' | 'awaiting_permission' | 'awaiting_external_result'

/** A session of the real service, and what a test needs to know of it behind the package's back. */
export interface LiveSession {
  readonly baseUrl: string
  readonly agentId: string
  readonly sessionId: string
  readonly headers: Readonly<Record<string, string>>
  /** Everything that is stored, as the service sends it. */
  readonly storedMessages: () => Promise<readonly JsonRecord[]>
  readonly status: () => Promise<SessionStatus>
}

/** A JSON object whose fields are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Where the service listens: the runner says so. */
export const serviceUrl: string = required('AGENTSCOPE_LIVE_URL')

/** A user of their own for each test file's process, so that lists stay short. */
const userId: string = `live-${process.pid}`

const headers = { 'X-User-ID': userId }

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: these tests are run by "npm run test:live".`)
  }
  return value
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One request to a service; anything but success throws with what the service said. */
export async function ask(
  method: string,
  path: string,
  body?: unknown,
  url: string = serviceUrl,
): Promise<JsonRecord> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  const answer: unknown = JSON.parse(text)
  if (!isRecord(answer)) throw new Error(`${method} ${path}: not an object: ${text}`)
  return answer
}

function textOf(answer: JsonRecord, name: string): string {
  const value = answer[name]
  if (typeof value !== 'string') throw new Error(`No ${name} in ${JSON.stringify(answer)}`)
  return value
}

function recordsOf(answer: JsonRecord, name: string): readonly JsonRecord[] {
  const value = answer[name]
  if (!Array.isArray(value)) throw new Error(`No ${name} in ${JSON.stringify(answer)}`)
  return value.filter(isRecord)
}

/** An agent with the scripted model, and a session with it; on another service than the runner's, if one is named. */
export async function createLiveSession(
  agentName = 'Friday',
  url: string = serviceUrl,
): Promise<LiveSession> {
  const data = { type: 'fake_credential', name: 'scripted' }
  const credential = await ask('POST', '/credential/', { data }, url)
  const agentId = textOf(await ask('POST', '/agent/', { name: agentName }, url), 'agent_id')
  const wanted = {
    agent_id: agentId,
    name: 'A live test', // a session without a name makes the service ask the model for one
    chat_model_config: {
      type: 'fake_credential',
      credential_id: textOf(credential, 'credential_id'),
      model: 'fake',
      parameters: {},
    },
  }
  const session = await ask('POST', '/sessions/', wanted, url)
  return liveSession(agentId, textOf(session, 'session_id'), url)
}

/**
 * A session that exists, such as a worker's.
 *
 * @param agentId - Its agent.
 * @param sessionId - The session.
 * @param url - Its service.
 */
export function liveSession(
  agentId: string,
  sessionId: string,
  url: string = serviceUrl,
): LiveSession {
  const path = (end: string): string => `/sessions/${sessionId}/${end}agent_id=${agentId}`
  return {
    baseUrl: url,
    agentId,
    sessionId,
    headers,
    storedMessages: async () =>
      recordsOf(await ask('GET', path('messages?limit=200&'), undefined, url), 'messages'),
    status: async () => {
      const status = textOf(await ask('GET', path('status?'), undefined, url), 'status')
      if (!isStatus(status)) throw new Error(`Unknown status ${status}`)
      return status
    },
  }
}

function isStatus(word: string): word is SessionStatus {
  return ['running', 'idle', 'awaiting_permission', 'awaiting_external_result'].includes(word)
}

/** Lets a scene that waits at this gate go on. */
export async function openGate(name: string, url: string = serviceUrl): Promise<void> {
  await ask('POST', `/live/gates/${name}`, undefined, url)
}

/** The messages that AgentScope's own `Msg.append_event` makes of these frames. */
export async function foldByAgentScope(
  frames: readonly JsonRecord[],
): Promise<readonly JsonRecord[]> {
  return recordsOf(await ask('POST', '/live/fold', frames), 'messages')
}

let gates = 0

/** A gate that no other test waits at. */
export function newGate(): string {
  gates += 1
  return `gate-${process.pid}-${gates}`
}
