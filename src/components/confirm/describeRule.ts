import type { ConfirmWords } from '../../i18n/index.js'
import type { PermissionRule } from '../../protocol/index.js'

/**
 * Puts a permission rule in words.
 *
 * @param rule - The rule as the agent suggested it.
 * @param words - Where the sentences come from.
 */
export function describeRule(rule: PermissionRule, words: ConfirmWords): string {
  const pattern = rule.rule_content?.trim() ?? ''
  return pattern === ''
    ? words.ruleForTool(rule.tool_name)
    : words.ruleForPattern(rule.tool_name, pattern)
}
