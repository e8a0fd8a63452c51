import type { OpenEnum } from './OpenEnum.js'

/** A rule that decides about later tool calls, as a request for approval suggests it and an approval sends it back. */
export interface PermissionRule {
  /** The tool it is about. */
  readonly tool_name: string
  /** What it matches, in the tool's own language (a command prefix such as `git commit:*`, a folder); null = the whole tool. */
  readonly rule_content: string | null
  /** What happens to a call that matches. */
  readonly behavior: OpenEnum<'allow' | 'deny' | 'ask' | 'passthrough'>
  /** Who made it; a suggestion says `suggested`. */
  readonly source: string
}
