'use client'
import { ownEntry } from '../../hooks/index.js'
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
import { ComposerInput } from '../composer/ComposerInput.js'
import { Details } from '../details/Details.js'
import { describeTool } from '../tool-call-card/describeTool.js'
import { ToolInput } from '../tool-call-card/ToolInput.js'
import { ConfirmCardActions, ConfirmCardCall } from './ConfirmCardParts.js'
import { Preview } from './Preview.js'
import { RequestCard } from './RequestCard.js'
import { RuleChoice } from './RuleChoice.js'

/** Props of `ConfirmForm`. */
export interface ConfirmFormProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What waits. */
  readonly request: ToolCallRequest
  /** Where the decision stands; null before there is one. */
  readonly send: SendState | null
  /** Whether an approval may carry rules. */
  readonly canRemember: boolean
  /** Whether a decision may carry a reason; `false` by default. */
  readonly canExplain?: boolean | undefined
  /** Told what the person chose. */
  readonly onDecide: (decision: Decision) => void
  /** Sends a decision again that did not go through. */
  readonly onRetry: () => void
}

/**
 * The question whether one tool call may run, or a plan be followed: the exact call with every argument, and the choices; none where
 * it cannot be decided from here. Knows no store, so it can be
 * shown anywhere; `ConfirmCard` connects it.
 *
 * Renders a `div` with the role `group`, named by the question. Data attributes: `data-as-part="confirm-card"`,
 * `data-kind="plan"` on a plan, `data-state` = `asking`, `held`, `sending`, `sent` or `failed`.
 */
export const ConfirmForm: ForwardRefExoticComponent<
  ConfirmFormProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ConfirmForm(props, ref) {
  const { request, send, canRemember, canExplain, onDecide, onRetry, ...rest } = props
  const { confirm, tool } = useChatUi().words
  const titleId = useId()
  const { toolCall } = request
  const held = send?.decision?.approve ? confirm.allowed : confirm.denied
  const { kind, preview } = request.metadata ?? {}
  const isPlan = kind === 'plan'
  const question = ownEntry(confirm.questions, isPlan ? 'submit_plan' : toolCall.name.toLowerCase())
  // As the call's row will name it; the exact name stands below.
  const name = describeTool(toolCall.name, null, tool).verb
  return (
    <RequestCard
      {...rest}
      {...{ request, send, titleId, onRetry }}
      ref={ref}
      data-kind={isPlan ? 'plan' : undefined}
      icon="ask"
      question={<span>{question ?? confirm.question(name)}</span>}
      subject={
        <ConfirmCardCall>
          <code className="as-code as-confirm-card-tool">{toolCall.name}</code>
          <Preview preview={preview} tool={toolCall.name}>
            {(hasPreview) =>
              hasPreview ? (
                <Details summary={tool.input}>
                  <ToolInput input={toolCall.input} isOpen={false} />
                </Details>
              ) : (
                <ToolInput input={toolCall.input} isOpen={false} />
              )
            }
          </Preview>
        </ConfirmCardCall>
      }
      words={{ ...confirm, held }}
    >
      <Choices {...{ request, send, canRemember, canExplain, onDecide, isPlan }} />
    </RequestCard>
  )
})

function Choices(
  props: Pick<ConfirmFormProps, 'request' | 'send' | 'canRemember' | 'canExplain' | 'onDecide'> & {
    readonly isPlan: boolean
  },
): ReactElement {
  const { request, send, canRemember, canExplain = false, onDecide, isPlan } = props
  const { confirm, question } = useChatUi().words
  const [reason, setReason] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  const rules = canRemember ? request.toolCall.suggested_rules : []
  const isOff = send?.phase === 'sending' || send?.phase === 'sent'
  const held = send?.phase === 'held' ? send.decision?.approve : undefined
  const decide = (approve: boolean): void =>
    onDecide({ request, approve, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) })
  return (
    <>
      {canExplain ? (
        <ComposerInput
          data-as-part="confirm-card-reason"
          className="as-question-text"
          submitKey="mod-enter"
          value={reason}
          readOnly={isOff}
          aria-label={question.note}
          placeholder={question.note}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      <ConfirmCardActions>
        <Button
          look="accent"
          aria-disabled={isOff}
          aria-pressed={held}
          onClick={() => decide(true)}
        >
          {isPlan ? confirm.approvePlan : confirm.allow}
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
          {isPlan ? confirm.rejectPlan : confirm.deny}
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
