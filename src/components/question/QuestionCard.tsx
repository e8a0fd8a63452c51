'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { useCommands, useSendState } from '../../hooks/index.js'
import { QuestionForm } from './QuestionForm.js'
import type { QuestionAnswer } from './QuestionForm.js'
import type { QuestionCardProps } from '../chat-root/SlotProps.js'

/** What the model reads when the person gives no answer. */
const DISMISSED = 'The question was dismissed without an answer.'

/**
 * A question that waits for the person. It sends the answer, shows that it is on its way, and offers to try again when it was not taken.
 * Answered, the request is gone, and with it the card.
 *
 * A call of `ask_user` gets a result whose `metadata` has `selected_option_id`, `text` or `dismissed`, or `answers` with these for each of
 * several questions; an input request gets them as its values.
 *
 * Needs an `AgentStreamProvider`. Parts and data attributes: see `QuestionForm`, which is the card without a store.
 */
export const QuestionCard: ForwardRefExoticComponent<
  QuestionCardProps & RefAttributes<HTMLDivElement>
> = forwardRef(function QuestionCard({ request, ...rest }, ref) {
  const { submitResults, submitInput, retry } = useCommands()
  const answer = ({ given, isDismissed }: QuestionAnswer): void => {
    const said = given.map(({ option, text }) => ({
      ...(option === null ? {} : { selected_option_id: option.id }),
      ...(text === '' ? {} : { text }),
    }))
    if (request.kind === 'input') {
      const values = { ...said[0] }
      void submitInput(isDismissed ? { request, action: 'decline' } : { request, values })
      return
    }
    const isOne = given.length === 1
    const lines = given.map(({ question, option, text }) => {
      const all = [isOne ? '' : question.text, option?.label ?? '', text]
      return all.filter((line) => line !== '').join(isOne ? '\n' : ' ')
    })
    void submitResults(
      isDismissed
        ? { request, output: DISMISSED, metadata: { dismissed: true } }
        : {
            request,
            output: lines.join('\n'),
            metadata: isOne ? { ...said[0] } : { answers: said },
          },
    )
  }
  return (
    <QuestionForm
      {...rest}
      ref={ref}
      request={request}
      send={useSendState(request.key)}
      onAnswer={answer}
      onRetry={() => void retry(request.key)}
    />
  )
})
