'use client'
import { forwardRef, useId, useMemo, useState } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  ReactElement,
  RefAttributes,
} from 'react'
import { parseToolInput } from '../../hooks/index.js'
import type { PendingRequest, SendState } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { ConfirmCardActions } from '../confirm/ConfirmCardParts.js'
import { RequestCard } from '../confirm/RequestCard.js'
import { ToolInput } from '../tool-call-card/ToolInput.js'
import { QuestionAsked } from './QuestionAsked.js'
import type { Picked } from './QuestionAsked.js'
import { readQuestions } from './readQuestion.js'
import type { Question, QuestionOption } from './readQuestion.js'

/** What the person answered to one question. */
export interface GivenAnswer {
  /** The question. */
  readonly question: Question
  /** The option chosen; null when none was. */
  readonly option: QuestionOption | null
  /** What was written beside it or instead; may be empty. */
  readonly text: string
}

/** What the person answered. */
export interface QuestionAnswer {
  /** To each question of the request, in order. */
  readonly given: readonly GivenAnswer[]
  /** Whether the person wants to give no answer; the rest then says nothing. */
  readonly isDismissed: boolean
}

/** Props of `QuestionForm`. */
export interface QuestionFormProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The question: a call of `ask_user`, or an input request. */
  readonly request: PendingRequest
  /** Where the answer stands; null before there is one. */
  readonly send: SendState | null
  /** Told what the person answered. */
  readonly onAnswer: (answer: QuestionAnswer) => void
  /** Sends an answer again that did not go through. */
  readonly onRetry: () => void
}

/**
 * One question to the person, or several at once: options with a free answer beside them, or a page to visit. Knows no store, so it can
 * be shown anywhere; `QuestionCard` connects it.
 *
 * Renders a `div` with the role `group`, named by the question, of the parts of the `ConfirmCard`.
 * Data attributes: `data-as-part="confirm-card"`, `data-kind="question"`, `data-state` = `asking`, `held`, `sending`, `sent` or `failed`.
 */
export const QuestionForm: ForwardRefExoticComponent<
  QuestionFormProps & RefAttributes<HTMLDivElement>
> = forwardRef(function QuestionForm({ request, send, onAnswer, onRetry, ...rest }, ref) {
  const { question: words } = useChatUi().words
  const titleId = useId()
  const { questions, input } = useMemo(() => readAsked(request), [request])
  const [first] = questions
  const title = questions.length === 1 ? first?.text : ''
  return (
    <RequestCard
      {...rest}
      {...{ request, send, titleId, words, onRetry }}
      ref={ref}
      data-kind="question"
      icon="question"
      question={
        <>
          <bdi>{title || words.title}</bdi>
          {first?.index ? (
            <span className="as-question-place">{words.place(first.index, first.total)}</span>
          ) : null}
        </>
      }
      subject={
        first?.text === '' && input !== '' ? <ToolInput input={input} isOpen={false} /> : null
      }
    >
      <Answer {...{ request, questions, titleId, send, onAnswer }} />
    </RequestCard>
  )
})

type AnswerProps = Pick<QuestionFormProps, 'request' | 'send' | 'onAnswer'> & {
  readonly questions: readonly Question[]
  readonly titleId: string
}

function Answer({ request, questions, send, onAnswer, titleId }: AnswerProps): ReactElement {
  const { question: words, actions } = useChatUi().words
  const url = request.kind === 'input' ? request.request.url : undefined
  const [picked, setPicked] = useState<readonly Picked[]>([])
  const isOff = send?.phase === 'sending' || send?.phase === 'sent'
  const given = questions.map((question, place) => {
    const { chosen, text } = picked[place] ?? nothing
    return { question, option: question.options[chosen ?? -1] ?? null, text: text.trim() }
  })
  // A page is answered there.
  const isPage = url !== undefined
  const isEmpty = !isPage && given.some(({ option, text }) => option === null && text === '')
  const give = (isDismissed: boolean): void => {
    if (!isOff && (isDismissed || !isEmpty)) onAnswer({ given, isDismissed })
  }
  return (
    <form
      className="as-question-form"
      onSubmit={(event) => {
        event.preventDefault()
        give(false)
      }}
    >
      {isPage ? (
        <PageLink url={url} />
      ) : (
        questions.map((question, place) => (
          // The agent's list of one request: it never changes, and may ask a thing twice.
          <QuestionAsked
            key={place}
            question={question}
            titleId={questions.length === 1 ? titleId : null}
            picked={picked[place] ?? nothing}
            isOff={isOff}
            onPick={(one) =>
              setPicked(questions.map((_, at) => (at === place ? one : (picked[at] ?? nothing))))
            }
            onSubmitKey={() => give(false)}
          />
        ))
      )}
      <ConfirmCardActions>
        <Button type="submit" look="accent" aria-disabled={isOff || isEmpty}>
          {isPage ? actions.goOn : words.send}
        </Button>
        <Button aria-disabled={isOff} onClick={() => give(true)}>
          {words.dismiss}
        </Button>
      </ConfirmCardActions>
    </form>
  )
}

const nothing: Picked = { chosen: null, text: '' }

/** Where the page is stands beside the link, whole: the person decides whether to go. */
function PageLink({ url }: { readonly url: string }): ReactElement {
  const { words, urlPolicy } = useChatUi()
  const link = urlPolicy.link(url)
  return (
    <p className="as-question-page">
      {link.verdict === 'allow' ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {words.question.open(link.destination)}
        </a>
      ) : null}
      <code className="as-code">{url}</code>
    </p>
  )
}

function readAsked(request: PendingRequest): {
  readonly questions: readonly Question[]
  readonly input: string
} {
  if (request.kind === 'input') return { questions: readQuestions(request.request), input: '' }
  const { input } = request.toolCall
  const parsed = parseToolInput(input, false)
  return { questions: readQuestions('value' in parsed ? parsed.value : null), input }
}
