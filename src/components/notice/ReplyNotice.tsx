'use client'
import { ownEntry } from '../../hooks/index.js'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Notice } from './Notice.js'
import type { ReplyNoticeProps } from '../chat-root/SlotProps.js'

/** Failures after which the same agent may succeed when it goes on; credentials and settings must change first. */
const passing: ReadonlySet<string> = new Set([
  ...['rate_limit', 'upstream', 'connection', 'internal', 'unknown'],
])

/**
 * Why a reply ended, when that was not by being complete: an error, a stop, the limit of steps. Nothing otherwise.
 *
 * Renders a `Notice`. Data attributes: `data-as-part="reply-notice"`, `data-reason` = the message's `finished_reason` or `error`.
 */
export const ReplyNotice: ForwardRefExoticComponent<
  ReplyNoticeProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ReplyNotice({ message, onContinue, ...rest }, ref) {
  const { notice, actions } = useChatUi().words
  const { error, finished_reason: reason } = message
  const shown = { 'data-as-part': 'reply-notice', ...rest, ref }
  if (error !== null || reason === 'error') {
    const type = error?.type ?? 'unknown'
    const sentence = ownEntry(notice.replyErrors, type)
    const canRetry = onContinue !== undefined && (passing.has(type) || sentence === null)
    return (
      <Notice
        {...shown}
        kind="error"
        data-reason="error"
        details={error?.message}
        action={
          canRetry ? (
            <Button look="link" onClick={onContinue}>
              {actions.retry}
            </Button>
          ) : null
        }
      >
        {sentence ?? notice.replyErrors['unknown']}
      </Notice>
    )
  }
  const isLimit = reason === 'exceed_max_iters'
  if (!isLimit && reason !== 'interrupted') return null
  return (
    <Notice
      {...shown}
      kind="end"
      data-reason={reason}
      action={isLimit && onContinue ? <Button onClick={onContinue}>{actions.goOn}</Button> : null}
    >
      {isLimit ? notice.exceededRounds : notice.interrupted}
    </Notice>
  )
})
