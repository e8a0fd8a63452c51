'use client'
import { forwardRef, useId, useMemo, useState } from 'react'
import type {
  ComponentPropsWithoutRef,
  FormEvent,
  ForwardRefExoticComponent,
  ReactElement,
  RefAttributes,
} from 'react'
import { parseToolInput } from '../../hooks/index.js'
import type { PendingRequest, SendState } from '../../hooks/index.js'
import type { JsonObject } from '../../protocol/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { ComposerInput } from '../composer/ComposerInput.js'
import {
  ConfirmCardActions,
  ConfirmCardRoot,
  ConfirmCardStatus,
  ConfirmCardTitle,
} from '../confirm/ConfirmCardParts.js'
import { Progress } from '../confirm/Progress.js'
import { Icon } from '../icon/Icon.js'
import { KitMarkdown } from '../message/KitMarkdown.js'
import { ToolInput } from '../tool-call-card/ToolInput.js'
import { FieldInput } from './FieldInput.js'
import { OptionList } from './OptionList.js'
import { readFields, readValues } from './readFields.js'
import { readQuestion } from './readQuestion.js'
import type { QuestionOption } from './readQuestion.js'

/** What the person answered. */
export interface QuestionAnswer {
  /** The option chosen; null when none was. */
  readonly option: QuestionOption | null
  /** What was written beside it or instead; may be empty. */
  readonly text: string
  /** What a form was filled with; empty for any other question. */
  readonly values: JsonObject
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
 * A question to the person: options with a free answer beside them, a few plain fields, or a page to visit. Knows no store, so it
 * can be shown anywhere; `QuestionCard` connects it.
 *
 * Renders a `div` with the role `group`, named by the question, of the parts of the `ConfirmCard`.
 * Data attributes: `data-as-part="confirm-card"`, `data-kind="question"`, `data-state` = `asking`, `held`, `sending`, `sent` or `failed`.
 */
export const QuestionForm: ForwardRefExoticComponent<
  QuestionFormProps & RefAttributes<HTMLDivElement>
> = forwardRef(function QuestionForm({ request, send, onAnswer, onRetry, ...rest }, ref) {
  const { question: words, confirm } = useChatUi().words
  const titleId = useId()
  const { text, context, index, total, input } = useMemo(() => readAsked(request), [request])
  const worker = request.kind === 'input' ? null : request.worker
  return (
    <ConfirmCardRoot
      {...rest}
      ref={ref}
      aria-labelledby={titleId}
      data-kind="question"
      data-state={send?.phase ?? 'asking'}
    >
      <ConfirmCardTitle id={titleId}>
        <Icon name="question" />
        <bdi>{text === '' ? words.title : text}</bdi>
        {index === 0 ? null : (
          <span className="as-question-place">{words.place(index, total)}</span>
        )}
      </ConfirmCardTitle>
      {worker === null ? null : (
        <p className="as-quiet">
          <bdi>{confirm.askedBy(worker.agentName)}</bdi>
        </p>
      )}
      {context === '' ? null : <KitMarkdown text={context} isStreaming={false} />}
      {text === '' && input !== '' ? <ToolInput input={input} isOpen={false} /> : null}
      {request.kind === 'external' && request.metadata?.['answerable'] === false ? (
        <p className="as-quiet">
          <Icon name="plug" />
          {confirm.elsewhere}
        </p>
      ) : (
        <Answer request={request} titleId={titleId} send={send} onAnswer={onAnswer} />
      )}
      <ConfirmCardStatus>
        <Progress send={send} words={words} onRetry={onRetry} />
      </ConfirmCardStatus>
    </ConfirmCardRoot>
  )
})

function Answer(
  props: Pick<QuestionFormProps, 'request' | 'send' | 'onAnswer'> & { readonly titleId: string },
): ReactElement {
  const { request, send, onAnswer, titleId } = props
  const { question: words, actions } = useChatUi().words
  const { options } = useMemo(() => readAsked(request), [request])
  const { schema, url } = request.kind === 'input' ? request.request : noInput
  const fields = useMemo(() => readFields(schema), [schema])
  const [chosen, setChosen] = useState<number | null>(null)
  const [text, setText] = useState('')
  const isOff = send?.phase === 'sending' || send?.phase === 'sent'
  const option = options[chosen ?? -1] ?? null
  const isEmpty = fields.length === 0 && url === undefined && option === null && text.trim() === ''

  const give = (values: JsonObject, isDismissed: boolean): void => {
    if (!isOff) onAnswer({ option, text: text.trim(), values, isDismissed })
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!isEmpty) give(readValues(fields, new FormData(event.currentTarget)), false)
  }
  const label = option === null ? words.ownWords : words.note
  return (
    <form className="as-question-form" onSubmit={submit}>
      {url === undefined ? null : <PageLink url={url} />}
      {options.length === 0 ? null : (
        <OptionList {...{ options, chosen, titleId, isOff }} onChoose={setChosen} />
      )}
      {fields.map((field, place) => (
        <FieldInput key={field.name} field={field} name={String(place)} />
      ))}
      {fields.length > 0 || url !== undefined ? null : (
        <ComposerInput
          data-as-part="question-text"
          className="as-question-text"
          value={text}
          readOnly={isOff}
          aria-label={label}
          placeholder={label}
          onChange={(event) => setText(event.currentTarget.value)}
          onSubmitKey={() => {
            if (!isEmpty) give({}, false)
          }}
        />
      )}
      <ConfirmCardActions>
        <Button type="submit" look="accent" aria-disabled={isOff || isEmpty}>
          {url === undefined ? words.send : actions.goOn}
        </Button>
        <Button aria-disabled={isOff} onClick={() => give({}, true)}>
          {words.dismiss}
        </Button>
      </ConfirmCardActions>
    </form>
  )
}

const noInput: { readonly schema?: undefined; readonly url?: undefined } = {}

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

function readAsked(request: PendingRequest): ReturnType<typeof readQuestion> & { input: string } {
  if (request.kind === 'input') return { ...readQuestion(request.request), input: '' }
  const { input } = request.toolCall
  const parsed = parseToolInput(input, false)
  return { ...readQuestion('value' in parsed ? parsed.value : null), input }
}
