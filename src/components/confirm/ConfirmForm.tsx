'use client'
import { forwardRef, useId, useState } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  ReactElement,
  RefAttributes,
} from 'react'
import type { Decision, SendState, ToolCallRequest } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { describeTool, readOwn } from '../tool-call-card/describeTool.js'
import { ToolInput } from '../tool-call-card/ToolInput.js'
import {
  ConfirmCardActions,
  ConfirmCardCall,
  ConfirmCardRoot,
  ConfirmCardStatus,
  ConfirmCardTitle,
} from './ConfirmCardParts.js'
import { RuleChoice } from './RuleChoice.js'

/** Props of `ConfirmForm`. */
export interface ConfirmFormProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What waits. */
  readonly request: ToolCallRequest
  /** Where the decision stands; null before there is one. */
  readonly send: SendState | null
  /** Whether an approval may carry rules. */
  readonly canRemember: boolean
  /** Told what the person chose. */
  readonly onDecide: (decision: Decision) => void
  /** Sends a decision again that did not go through. */
  readonly onRetry: () => void
}

/**
 * The question whether one tool call may run: the exact call with every argument, and the choices. Knows no store, so it can be
 * shown anywhere; `ConfirmCard` connects it.
 *
 * Renders a `div` with the role `group`, named by the question. Data attributes: `data-as-part="confirm-card"`,
 * `data-state` = `asking`, `held`, `sending`, `sent` or `failed`.
 */
export const ConfirmForm: ForwardRefExoticComponent<
  ConfirmFormProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ConfirmForm(props, ref) {
  const { request, send, canRemember, onDecide, onRetry, ...rest } = props
  const { confirm, tool } = useChatUi().words
  const titleId = useId()
  const { toolCall, worker } = request
  const question = readOwn(confirm.questions, toolCall.name.toLowerCase())
  // As the call's row will name it; the exact name stands below.
  const name = describeTool(toolCall.name, null, tool).verb
  return (
    <ConfirmCardRoot
      {...rest}
      ref={ref}
      aria-labelledby={titleId}
      data-state={send?.phase ?? 'asking'}
    >
      <ConfirmCardTitle id={titleId}>
        <Icon name="ask" />
        <span>{question ?? confirm.question(name)}</span>
      </ConfirmCardTitle>
      {worker === null ? null : (
        <p className="as-quiet">
          <bdi>{confirm.askedBy(worker.agentName)}</bdi>
        </p>
      )}
      <ConfirmCardCall>
        <code className="as-code as-confirm-card-tool">{toolCall.name}</code>
        <ToolInput input={toolCall.input} isOpen={false} />
      </ConfirmCardCall>
      <Choices request={request} send={send} canRemember={canRemember} onDecide={onDecide} />
      <ConfirmCardStatus>
        <Progress send={send} onRetry={onRetry} />
      </ConfirmCardStatus>
    </ConfirmCardRoot>
  )
})

function Choices(
  props: Pick<ConfirmFormProps, 'request' | 'send' | 'canRemember' | 'onDecide'>,
): ReactElement {
  const { request, send, canRemember, onDecide } = props
  const { confirm } = useChatUi().words
  const [isChoosing, setChoosing] = useState(false)
  const rules = canRemember ? request.toolCall.suggested_rules : []
  const isOff = send?.phase === 'sending' || send?.phase === 'sent'
  const held = send?.phase === 'held' ? send.decision?.approve : undefined
  const decide = (approve: boolean): void => onDecide({ request, approve })
  return (
    <>
      <ConfirmCardActions>
        <Button
          look="accent"
          aria-disabled={isOff}
          aria-pressed={held}
          onClick={() => decide(true)}
        >
          {confirm.allow}
        </Button>
        {rules.length === 0 ? null : (
          <Button
            aria-expanded={isChoosing}
            aria-disabled={isOff}
            onClick={() => setChoosing(!isChoosing)}
          >
            {confirm.always}
          </Button>
        )}
        <Button
          aria-disabled={isOff}
          aria-pressed={held === undefined ? undefined : !held}
          onClick={() => decide(false)}
        >
          {confirm.deny}
        </Button>
      </ConfirmCardActions>
      {isChoosing && rules.length > 0 ? (
        <RuleChoice
          rules={rules}
          isOff={isOff}
          onAllow={(chosen) => onDecide({ request, approve: true, rules: chosen })}
        />
      ) : null}
    </>
  )
}

function Progress({
  send,
  onRetry,
}: Pick<ConfirmFormProps, 'send' | 'onRetry'>): ReactElement | null {
  const { confirm, actions, notice } = useChatUi().words
  switch (send?.phase) {
    case 'sending':
    case 'sent':
      return (
        <p className="as-quiet" role="status">
          <Icon name="spinner" />
          {confirm.sending}
        </p>
      )
    case 'held':
      return (
        <p className="as-quiet" role="status">
          {send.decision?.approve ? confirm.allowed : confirm.denied}
        </p>
      )
    case 'failed':
      return (
        <div className="as-failure" role="alert">
          <Icon name="warning" />
          <span>
            {send.isSure ? confirm.failed : confirm.unknown}{' '}
            {readOwn(notice.transportErrors, send.error.reason)}
          </span>
          {/* What the server called wrong it would refuse again. */}
          {send.error.reason === 'rejected' ? null : (
            <Button look="link" onClick={onRetry}>
              {actions.retry}
            </Button>
          )}
        </div>
      )
    case undefined:
      return null
  }
}
