import type { AgentEvent, CustomEvent } from '../protocol/index.js'

/** An event of a reply. */
export type ReplyEvent = Exclude<AgentEvent, CustomEvent>
