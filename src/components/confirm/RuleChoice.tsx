'use client'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { PermissionRule } from '../../protocol/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { describeRule } from './describeRule.js'

/** Props of `RuleChoice`. */
export interface RuleChoiceProps {
  /** The rules that the agent suggests; at least one. */
  readonly rules: readonly PermissionRule[]
  /** Whether nothing can be chosen now. */
  readonly isOff: boolean
  /** Told which rules to remember with the approval. */
  readonly onAllow: (rules: readonly PermissionRule[]) => void
}

/** The rules that may be remembered with an approval, each in words, and the button that does so. The first is chosen. */
export function RuleChoice({ rules, isOff, onAllow }: RuleChoiceProps): ReactElement {
  const { confirm } = useChatUi().words
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set([0]))
  const toggle = (index: number): void => {
    const next = new Set(chosen)
    if (!next.delete(index)) next.add(index)
    setChosen(next)
  }
  return (
    <div
      className="as-rule-choice"
      data-as-part="rule-choice"
      role="group"
      aria-label={confirm.always}
    >
      {rules.map((rule, index) => (
        // The agent's list of one request: it never changes, and may name a rule twice.
        <label key={`${String(index)} ${rule.rule_content ?? ''}`} className="as-rule">
          <input type="checkbox" checked={chosen.has(index)} onChange={() => toggle(index)} />
          <bdi>{describeRule(rule, confirm)}</bdi>
        </label>
      ))}
      <Button
        aria-disabled={isOff || chosen.size === 0}
        onClick={() => onAllow(rules.filter((_rule, index) => chosen.has(index)))}
      >
        {confirm.allowAlways}
      </Button>
    </div>
  )
}
