'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { takesReason, useCapabilities, useCommands, useSendState } from '../../hooks/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { ConfirmForm } from './ConfirmForm.js'
import { ConfirmCardRoot } from './ConfirmCardParts.js'
import type { ConfirmCardProps } from '../chat-root/SlotProps.js'

/**
 * A tool call that waits for the person, with the choices: allow once, always allow by rules, deny. It sends the decision, shows
 * that it is on its way, and offers to try again when it was not taken. Answered, the request is gone, and with it the card.
 * A call that waits for the app is one line.
 *
 * Needs an `AgentStreamProvider`. Parts: `ConfirmCardRoot`, `ConfirmCardTitle`, `ConfirmCardCall`, `ConfirmCardActions`,
 * `ConfirmCardStatus`; `ConfirmForm` is the card without a store.
 * Data attributes: `data-as-part="confirm-card"`, `data-state` = `asking`, `held`, `sending`, `sent`, `failed` or `external`.
 */
export const ConfirmCard: ForwardRefExoticComponent<
  ConfirmCardProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ConfirmCard({ request, ...rest }, ref) {
  const { confirm, retry } = useCommands()
  const capabilities = useCapabilities()
  const send = useSendState(request.key)
  const { words } = useChatUi()
  if (request.kind === 'external') {
    return (
      <ConfirmCardRoot {...rest} ref={ref} data-state="external">
        <p className="as-quiet">
          <Icon name="plug" />
          <bdi>{words.confirm.waitingForTool(request.toolCall.name)}</bdi>
        </p>
      </ConfirmCardRoot>
    )
  }
  return (
    <ConfirmForm
      {...rest}
      ref={ref}
      request={request}
      send={send}
      canRemember={capabilities.rules}
      canExplain={takesReason(request, capabilities)}
      onDecide={(decision) => void confirm(decision)}
      onRetry={() => void retry(request.key)}
    />
  )
})
