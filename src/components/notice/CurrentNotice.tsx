'use client'
import { forwardRef } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import { useChatSelector, usePhase } from '../../hooks/index.js'
import type { ChatState } from '../../hooks/index.js'
import type { JsonObject } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'

/** Props of `CurrentNotice`. */
export type CurrentNoticeProps = Omit<ComponentPropsWithoutRef<'div'>, 'children'>

/** `CUSTOM` events that tell how a run goes, most important first. An empty value takes one back. */
const names = ['quota_exceeded', 'retrying', 'warning', 'quota_notice', 'context_warning'] as const

/**
 * How the run under way goes, where the agent said so: it tries the model again, a quota runs out, the context grows full. One thin line,
 * and nothing once the run is over.
 *
 * Needs an `AgentStreamProvider`. Renders a `div` with the role `status`.
 * Data attributes: `data-as-part="current-notice"`, `data-name` = the event's name.
 */
export const CurrentNotice: ForwardRefExoticComponent<
  CurrentNoticeProps & RefAttributes<HTMLDivElement>
> = forwardRef(function CurrentNotice(props, ref) {
  const { states } = useChatUi().words.notice
  const notices = useChatSelector(selectNotices)
  const isRunning = usePhase() === 'streaming'
  const name = names.find((one) => Object.keys(notices[one] ?? {}).length > 0)
  if (!isRunning || name === undefined) return null
  const { message } = notices[name] ?? {}
  return (
    <div
      role="status"
      {...partProps('current-notice', props, 'as-connection-line')}
      ref={ref}
      data-name={name}
    >
      <Icon name={name === 'retrying' ? 'clock' : 'warning'} />
      <bdi>{name !== 'retrying' && typeof message === 'string' ? message : states[name]}</bdi>
    </div>
  )
})

function selectNotices({ conversation }: ChatState): Readonly<Record<string, JsonObject>> {
  return conversation.notices
}
