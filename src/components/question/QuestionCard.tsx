'use client'
import { forwardRef, useRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { useCommands, useSendState } from '../../hooks/index.js'
import { useMergedRef } from '../part/useMergedRef.js'
import { useFocusKeeper } from '../confirm/useFocusKeeper.js'
import { QuestionForm } from './QuestionForm.js'
import type { QuestionAnswer } from './QuestionForm.js'
import type { QuestionCardProps } from '../chat-root/SlotProps.js'

/** What the model reads when the person gives no answer. */
const DISMISSED = 'The question was dismissed without an answer.'

/**
 * A question that waits for the person. It sends the answer, shows that it is on its way, and offers to try again when it was not taken.
 * Answered, the request is gone, and with it the card.
 *
 * A call of `ask_user` gets a result whose `metadata` has `selected_option_id`, `text` or `dismissed`; an input request gets these as
 * its values, or those of its form.
 *
 * Needs an `AgentStreamProvider`. Parts and data attributes: see `QuestionForm`, which is the card without a store.
 */
export const QuestionCard: ForwardRefExoticComponent<
  QuestionCardProps & RefAttributes<HTMLDivElement>
> = forwardRef(function QuestionCard({ request, ...rest }, ref) {
  const { submitResults, submitInput, retry } = useCommands()
  const ownRef = useRef<HTMLDivElement>(null)
  useFocusKeeper(ownRef)
  const answer = ({ option, text, values, isDismissed }: QuestionAnswer): void => {
    const said = {
      ...(option === null ? {} : { selected_option_id: option.id }),
      ...(text === '' ? {} : { text }),
    }
    if (request.kind === 'input') {
      void submitInput(
        isDismissed ? { request, action: 'decline' } : { request, values: { ...said, ...values } },
      )
      return
    }
    const output = [option?.label ?? '', text].filter((line) => line !== '').join('\n')
    void submitResults(
      isDismissed
        ? { request, output: DISMISSED, metadata: { dismissed: true } }
        : { request, output, metadata: said },
    )
  }
  return (
    <QuestionForm
      {...rest}
      ref={useMergedRef(ownRef, ref)}
      request={request}
      send={useSendState(request.key)}
      onAnswer={answer}
      onRetry={() => void retry(request.key)}
    />
  )
})
