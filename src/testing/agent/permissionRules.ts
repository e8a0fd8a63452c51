import { isJsonObject, type JsonObject, type PermissionRule } from '../../protocol/index.js'

/** What may run in a session without asking. */
export class PermissionRules {
  /** `bypass` asks for nothing; the other modes ask as the script says. */
  mode: string = 'default'
  /** Whether rules were added since this was last asked for by `takeChange`. */
  #hasChanged = false
  readonly #rules: PermissionRule[] = []

  /** Remembers a rule. */
  add(rule: PermissionRule): void {
    this.#rules.push(rule)
    this.#hasChanged = true
  }

  /** Tells once whether rules were added. */
  takeChange(): boolean {
    const hasChanged = this.#hasChanged
    this.#hasChanged = false
    return hasChanged
  }

  /** Whether a call may run without asking. */
  allow(toolName: string, input: string): boolean {
    if (this.mode === 'bypass') return true
    return this.#rules.some((rule) => rule.behavior === 'allow' && covers(rule, toolName, input))
  }

  /** The rules as the service tells them. */
  toContext(): JsonObject {
    const byTool = (behavior: string): JsonObject => {
      const wanted = this.#rules.filter((rule) => rule.behavior === behavior)
      const tools = [...new Set(wanted.map((rule) => rule.tool_name))]
      return Object.fromEntries(
        tools.map((tool) => [
          tool,
          wanted.filter((rule) => rule.tool_name === tool).map((rule) => ({ ...rule })),
        ]),
      )
    }
    return {
      mode: this.mode,
      working_directories: {},
      allow_rules: byTool('allow'),
      deny_rules: byTool('deny'),
      ask_rules: byTool('ask'),
    }
  }
}

/**
 * Whether a rule is about a call.
 *
 * @param rule - Without content it is about the whole tool; `npm test:*` is about arguments that begin so.
 * @param toolName - The tool that is called.
 * @param input - The raw JSON of the arguments.
 */
export function covers(rule: PermissionRule, toolName: string, input: string): boolean {
  if (rule.tool_name !== toolName) return false
  if (rule.rule_content === null) return true
  const prefix = rule.rule_content.replace(/(:\*|\*\*)$/, '')
  return argumentsOf(input).some((argument) => argument.startsWith(prefix))
}

function argumentsOf(input: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(input)
    if (!isJsonObject(value)) return []
    return Object.values(value).filter((argument) => typeof argument === 'string')
  } catch {
    return []
  }
}
