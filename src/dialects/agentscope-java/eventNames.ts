/** The names of events in other spellings: AgentScope Python, the TypeScript SDK before 2.0, Java's own old names, the article, tasks. */
const ALIASES: Readonly<Record<string, string>> = {
  REPLY_START: 'AGENT_START',
  RUN_STARTED: 'AGENT_START',
  SUB_AGENT_START: 'AGENT_START',
  REPLY_END: 'AGENT_END',
  RUN_FINISHED: 'AGENT_END',
  SUB_AGENT_END: 'AGENT_END',
  MODEL_CALL_STARTED: 'MODEL_CALL_START',
  MODEL_CALL_ENDED: 'MODEL_CALL_END',
  BINARY_BLOCK_START: 'DATA_BLOCK_START',
  BINARY_BLOCK_DELTA: 'DATA_BLOCK_DELTA',
  BINARY_BLOCK_END: 'DATA_BLOCK_END',
  TOOL_RESULT_BINARY_DELTA: 'TOOL_RESULT_DATA_DELTA',
  THREAD_EXPOSED: 'SUBAGENT_EXPOSED',
  PERMISSION_REQUEST: 'REQUIRE_USER_CONFIRM',
  REQUIRE_CONFIRM: 'REQUIRE_USER_CONFIRM',
  PERMISSION_RESPONSE: 'USER_CONFIRM_RESULT',
  TEXT_DELTA: 'TEXT_BLOCK_DELTA',
  THINKING_DELTA: 'THINKING_BLOCK_DELTA',
  RUN_ERROR: 'ERROR',
  AGENT_ERROR: 'ERROR',
}

/** Events that say nothing about a message; they are passed on under their name in small letters, for apps that want them. */
const NOTES: ReadonlySet<string> = new Set([
  'REQUEST_STOP',
  'SUBAGENT_EXPOSED',
  'COMPACTION_START',
  'COMPACTION_END',
  'USER_ASK_RESULT',
  'MODEL_CALL_ATTEMPT_START',
  'MODEL_CALL_ATTEMPT_END',
  'MODEL_CALL_ATTEMPT_FAILED',
  'MODEL_FALLBACK_ACTIVATED',
  'TOOL_PROGRESS',
  'SUGGESTION_RESULT',
  'TEXT_OUTPUT_DISPOSITION',
])

/** Events that only end or explain: alone they begin no run. */
const LAST_WORDS = /_END$|^AGENT_RESULT$|^EXCEED_MAX_ITERS$|^ALL_TOOLS_DENIED$|^USER_INTERRUPT$/

/** Java's name of an event. */
export function eventName(type: string): string {
  const name = type.toUpperCase()
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name
}

/** Whether an event is passed on as a note. */
export function isNote(name: string): boolean {
  return NOTES.has(name)
}

/** Whether an event can begin a run that nobody announced. */
export function isBeginning(name: string): boolean {
  return !LAST_WORDS.test(name)
}
