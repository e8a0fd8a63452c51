'use client'
import { forwardRef } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import type { ToolPhase } from '../../hooks/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import type { IconName } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'

const icons = {
  writing: 'spinner',
  pending: 'clock',
  asking: 'ask',
  submitted: 'plug',
  running: 'spinner',
  succeeded: 'check',
  failed: 'warning',
  denied: 'cross',
  interrupted: 'stop',
  'not-run': 'dash',
} satisfies Record<ToolPhase, IconName>

/** Props of `ToolPhaseMark`. */
export interface ToolPhaseMarkProps extends ComponentPropsWithoutRef<'span'> {
  /** Where the call stands. */
  readonly phase: ToolPhase
  /** How long it took, in milliseconds; null when not known. */
  readonly durationMs?: number | null
}

/**
 * Where a tool call stands: an icon, a word, and then a colour. A call that succeeded shows its time in place of the word,
 * which assistive technology still reads.
 *
 * Data attributes: `data-as-part="tool-phase-mark"`, `data-phase`.
 */
export const ToolPhaseMark: ForwardRefExoticComponent<
  ToolPhaseMarkProps & RefAttributes<HTMLSpanElement>
> = forwardRef(function ToolPhaseMark({ phase, durationMs = null, ...rest }, ref) {
  const { tool, units } = useChatUi().words
  const hasTime = phase === 'succeeded' && durationMs !== null
  return (
    <span {...partProps('tool-phase-mark', rest)} ref={ref} data-phase={phase}>
      <Icon name={icons[phase]} />
      <span className={hasTime ? 'as-sr-only' : undefined}>{tool.phases[phase]}</span>
      {hasTime ? <bdi>{units.duration(durationMs)}</bdi> : null}
    </span>
  )
})
