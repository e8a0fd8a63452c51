'use client'
import { ownEntry } from '../../hooks/index.js'
import type { ReactElement } from 'react'
import type { SendState } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { Notice } from '../notice/Notice.js'

/** Props of `Progress`. */
export interface ProgressProps {
  /** Where what the person said stands; null before they said anything. */
  readonly send: SendState | null
  /** What it is called on its way. */
  readonly words: {
    /** It is on its way. */
    readonly sending: string
    /** The server took it; absent where that is still called being on its way. */
    readonly sent?: string
    /** It waits for others. */
    readonly held: string
    /** It did not reach the server. */
    readonly failed: string
    /** It may have reached the server. */
    readonly unknown: string
  }
  /** Sends it again. */
  readonly onRetry: () => void
}

/** How sending a decision or an answer goes. */
export function Progress({ send, words, onRetry }: ProgressProps): ReactElement | null {
  const { actions, notice } = useChatUi().words
  switch (send?.phase) {
    case 'sending':
    case 'sent': {
      const isTaken = send.phase === 'sent' && words.sent !== undefined
      return (
        <p className="as-quiet" role="status">
          <Icon name={isTaken ? 'check' : 'spinner'} />
          {isTaken ? words.sent : words.sending}
        </p>
      )
    }
    case 'held':
      return (
        <p className="as-quiet" role="status">
          {words.held}
        </p>
      )
    case 'failed':
      return (
        <Notice
          kind="error"
          role="alert"
          details={send.error.detail}
          action={
            // What the server called wrong it would refuse again.
            send.error.reason === 'rejected' ? null : (
              <Button look="link" onClick={onRetry}>
                {actions.retry}
              </Button>
            )
          }
        >
          {send.isSure ? words.failed : words.unknown}{' '}
          {ownEntry(notice.transportErrors, send.error.reason)}
        </Notice>
      )
    case undefined:
      return null
  }
}
