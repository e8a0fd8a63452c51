'use client'
import { forwardRef, useEffect, useState } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import { ownEntry, useCommands, useConnection } from '../../hooks/index.js'
import type { ConnectionState } from '../../protocol/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import type { IconName } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'

/** Props of `ConnectionLineView`. */
export interface ConnectionLineViewProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Where the live connection stands. */
  readonly connection: ConnectionState
  /** Tries at once. */
  readonly onRetry: () => void
}

const icons = {
  connecting: 'spinner',
  'catching-up': 'spinner',
  waiting: 'clock',
  offline: 'plug',
  failed: 'warning',
} satisfies Partial<Record<ConnectionState['phase'], IconName>>

/**
 * A thin line about the connection; nothing when all is well. Knows no store; `ConnectionLine` connects it.
 *
 * Renders a `div` with the role `status`. Data attributes: `data-as-part="connection-line"`, `data-phase`.
 */
export const ConnectionLineView: ForwardRefExoticComponent<
  ConnectionLineViewProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ConnectionLineView({ connection, onRetry, ...rest }, ref) {
  const { notice } = useChatUi().words
  const seconds = useSecondsUntil(connection.phase === 'waiting' ? connection.retryAt : null)
  const { phase } = connection
  if (phase === 'open' || phase === 'closed') return null
  const words = {
    connecting: notice.connecting,
    'catching-up': notice.catchingUp,
    waiting: notice.reconnectingIn(0),
    offline: notice.offline,
    failed: notice.disconnected,
  }
  const cause = phase === 'failed' ? ownEntry(notice.transportErrors, connection.cause.reason) : ''
  return (
    <div role="status" {...partProps('connection-line', rest)} ref={ref} data-phase={phase}>
      <Icon name={icons[phase]} />
      {/* The count is for the eye: read out each second it would drown the answer. */}
      {phase === 'waiting' && seconds > 0 ? (
        <>
          <span aria-hidden="true">{notice.reconnectingIn(seconds)}</span>
          <span className="as-sr-only">{words.waiting}</span>
        </>
      ) : (
        <span>{`${words[phase]} ${cause ?? ''}`.trim()}</span>
      )}
      {phase === 'waiting' || phase === 'failed' ? (
        <Button look="link" onClick={onRetry}>
          {notice.retryNow}
        </Button>
      ) : null}
    </div>
  )
})

/** Whole seconds until a time of the client's clock, counted while it is ahead. */
function useSecondsUntil(time: number | null): number {
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (time === null) return undefined
    const tick = (): void => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [time])
  return time === null || now === 0 ? 0 : Math.max(0, Math.ceil((time - now) / 1000))
}

/** Props of `ConnectionLine`. */
export type ConnectionLineProps = Omit<ConnectionLineViewProps, 'connection' | 'onRetry'>

/** The conversation's connection as a thin line; nothing when all is well. Needs an `AgentStreamProvider`. */
export const ConnectionLine: ForwardRefExoticComponent<
  ConnectionLineProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ConnectionLine(props, ref) {
  const connection = useConnection()
  const { retryNow } = useCommands()
  return <ConnectionLineView {...props} ref={ref} connection={connection} onRetry={retryNow} />
})
