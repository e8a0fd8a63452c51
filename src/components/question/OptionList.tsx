'use client'
import { useId } from 'react'
import type { ReactElement } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'
import type { QuestionOption } from './readQuestion.js'

/** Props of `OptionList`. */
export interface OptionListProps {
  /** Answers to choose from; at least one. */
  readonly options: readonly QuestionOption[]
  /** Place of the chosen one, -1 for none of them; null before the person chose. */
  readonly chosen: number | null
  /** The element that names the list: the question. */
  readonly titleId: string
  /** Whether nothing can be chosen now. */
  readonly isOff: boolean
  /** Told which one was chosen. */
  readonly onChoose: (place: number) => void
}

/** Answers to choose one from, by pointer or arrow keys, and the way to choose none of them. */
export function OptionList(props: OptionListProps): ReactElement {
  const { options, chosen, titleId, isOff, onChoose } = props
  const { other } = useChatUi().words.question
  const name = useId()
  const shown = [...options, { label: other, description: '' }]
  return (
    <div
      className="as-question-options"
      data-as-part="question-options"
      role="radiogroup"
      aria-labelledby={titleId}
    >
      {shown.map(({ label, description }, index) => {
        const place = index === options.length ? -1 : index
        return (
          // The agent's list of one question: it never changes, and may name an answer twice.
          <label key={place} className="as-question-option">
            <input
              type="radio"
              name={name}
              checked={chosen === place}
              onChange={() => {
                if (!isOff) onChoose(place)
              }}
            />
            <span>
              <bdi>{label}</bdi>
              {description === '' ? null : <bdi className="as-quiet">{description}</bdi>}
            </span>
          </label>
        )
      })}
    </div>
  )
}
