/**
 * How a Java backend puts its stream on the wire: whole events as JSON, events trimmed by a controller, the answer's bare text,
 * the data-agent example's frames, a managed session's events, or a remote task's.
 */
export type JavaFraming =
  'events' | 'trimmed' | 'text' | 'data-agent' | 'managed' | 'agent-protocol'
