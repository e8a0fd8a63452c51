'use client'
import { useId } from 'react'
import type { ReactElement } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'
import { ComposerInput } from '../composer/ComposerInput.js'
import { KitMarkdown } from '../message/KitMarkdown.js'
import { OptionList } from './OptionList.js'
import type { Question } from './readQuestion.js'

/** What was picked so far. */
export interface Picked {
  /** Place of the chosen option, -1 for none of them; null before the person chose. */
  readonly chosen: number | null
  /** What was written. */
  readonly text: string
}

/** Props of `QuestionAsked`. */
export interface QuestionAskedProps {
  /** The question. */
  readonly question: Question
  /** The element that holds its words; null when they stand nowhere yet. */
  readonly titleId: string | null
  /** What was picked so far. */
  readonly picked: Picked
  /** Whether nothing can be picked now. */
  readonly isOff: boolean
  /** Told what is picked now. */
  readonly onPick: (picked: Picked) => void
  /** Told when the key that sends was pressed. */
  readonly onSubmitKey: () => void
}

/** One question with what to know about it, its options and the field for a free answer. */
export function QuestionAsked(props: QuestionAskedProps): ReactElement {
  const { question, titleId, picked, isOff, onPick, onSubmitKey } = props
  const { question: words } = useChatUi().words
  const ownId = useId()
  const { text, context, options } = question
  const { chosen } = picked
  const label = options[chosen ?? -1] === undefined ? words.ownWords : words.note
  const nameId = titleId ?? ownId
  return (
    <>
      {titleId === null ? (
        <p id={ownId} className="as-question-words" dir="auto">
          {text}
        </p>
      ) : null}
      {context === '' ? null : <KitMarkdown text={context} isStreaming={false} />}
      {options.length === 0 ? null : (
        <OptionList
          {...{ options, chosen, isOff }}
          titleId={nameId}
          onChoose={(place) => onPick({ ...picked, chosen: place })}
        />
      )}
      <ComposerInput
        data-as-part="question-text"
        className="as-question-text"
        value={picked.text}
        readOnly={isOff}
        aria-label={label}
        aria-describedby={nameId}
        placeholder={label}
        onChange={(event) => onPick({ ...picked, text: event.currentTarget.value })}
        onSubmitKey={onSubmitKey}
      />
    </>
  )
}
