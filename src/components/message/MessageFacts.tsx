'use client'
import { forwardRef } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import type { JsonObject, Msg } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { partProps } from '../part/partProps.js'
import { durationBetween, hasZone } from '../time/durationBetween.js'

/** Props of `MessageFacts`. */
export interface MessageFactsProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** The message. */
  readonly message: Msg
  /** Its speaker's name. */
  readonly name: string
  /** What the reply's end said about it (`ReplyInfo.metadata`): how much work it took, where the agent counted. */
  readonly metadata?: JsonObject | undefined
}

/**
 * Who spoke, when, for how long, and how much work it took where the agent counted. A stamp without a zone is the server's own
 * time, which cannot be told in the reader's, so only how long the reply took is shown.
 *
 * Renders a `span`. Data attributes: `data-as-part="message-facts"`.
 */
export const MessageFacts: ForwardRefExoticComponent<
  MessageFactsProps & RefAttributes<HTMLSpanElement>
> = forwardRef(function MessageFacts({ message, name, metadata = {}, ...rest }, ref) {
  const { units, conversation } = useChatUi().words
  const { total_iterations: rounds, total_tool_calls: calls } = metadata
  const stamp = message.created_at
  const took = message.role === 'user' ? null : durationBetween(stamp, message.finished_at)
  return (
    <span {...partProps('message-facts', rest)} ref={ref}>
      <bdi>{name}</bdi>
      {hasZone(stamp) ? (
        // The server's zone and language may differ from the reader's: the browser's version stands.
        <time dateTime={stamp} suppressHydrationWarning>
          {new Date(stamp).toLocaleTimeString(units.locale, { hour: '2-digit', minute: '2-digit' })}
        </time>
      ) : null}
      {took === null ? null : <bdi>{units.duration(took)}</bdi>}
      {typeof rounds === 'number' && typeof calls === 'number' ? (
        <bdi>{conversation.totals(rounds, calls)}</bdi>
      ) : null}
    </span>
  )
})
