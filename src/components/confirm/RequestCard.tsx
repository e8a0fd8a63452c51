'use client'
import { forwardRef, useRef } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  ReactNode,
  RefAttributes,
} from 'react'
import type { PendingRequest, SendState } from '../../hooks/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import type { IconName } from '../icon/Icon.js'
import { ConfirmCardRoot, ConfirmCardStatus, ConfirmCardTitle } from './ConfirmCardParts.js'
import { useMergedRef } from '../part/useMergedRef.js'
import { Progress } from './Progress.js'
import type { ProgressProps } from './Progress.js'
import { useFocusKeeper } from './useFocusKeeper.js'

/** Props of `RequestCard`. */
export interface RequestCardProps extends ComponentPropsWithoutRef<'div'> {
  /** What waits. */
  readonly request: PendingRequest
  /** Where what the person said stands; null before they said anything. */
  readonly send: SendState | null
  /** The title's picture. */
  readonly icon: IconName
  /** What is asked. */
  readonly question: ReactNode
  /** The title's id. */
  readonly titleId: string
  /** What it is about: shown also where it cannot be answered from here. */
  readonly subject: ReactNode
  /** What sending is called. */
  readonly words: ProgressProps['words']
  /** Sends again what did not go through. */
  readonly onRetry: () => void
}

/**
 * What waits for the person: what is asked, who asks, what it is about, the choices (`children`), and how sending goes. A request that
 * can be answered only elsewhere says so in place of the choices.
 */
export const RequestCard: ForwardRefExoticComponent<
  RequestCardProps & RefAttributes<HTMLDivElement>
> = forwardRef(function RequestCard(props, ref) {
  const { request, send, icon, question, titleId, subject, words, onRetry, children, ...rest } =
    props
  const { confirm } = useChatUi().words
  const ownRef = useRef<HTMLDivElement>(null)
  const mergedRef = useMergedRef(ownRef, ref)
  useFocusKeeper(ownRef)
  const { worker = null, metadata } = request.kind === 'input' ? noCall : request
  return (
    <ConfirmCardRoot
      {...rest}
      ref={mergedRef}
      aria-labelledby={titleId}
      data-state={send?.phase ?? 'asking'}
    >
      <ConfirmCardTitle id={titleId}>
        <Icon name={icon} />
        {question}
      </ConfirmCardTitle>
      {worker === null ? null : (
        <p className="as-quiet">
          <bdi>{confirm.askedBy(worker.agentName)}</bdi>
        </p>
      )}
      {subject}
      {metadata?.['answerable'] === false ? (
        <p className="as-quiet">
          <Icon name="plug" />
          {confirm.elsewhere}
        </p>
      ) : (
        children
      )}
      <ConfirmCardStatus>
        <Progress send={send} words={words} onRetry={onRetry} />
      </ConfirmCardStatus>
    </ConfirmCardRoot>
  )
})

const noCall: { readonly worker?: null; readonly metadata?: undefined } = {}
