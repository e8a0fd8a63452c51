'use client'
import { forwardRef, useMemo } from 'react'
import type { ForwardRefExoticComponent, ReactElement, RefAttributes } from 'react'
import { parseToolInput, toolPhase } from '../../hooks/index.js'
import type { ToolPhase } from '../../hooks/index.js'
import type { JsonObject, ToolCallBlock } from '../../protocol/index.js'
import { CopyButton } from '../button/CopyButton.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { DataBlockView } from '../data-block-view/DataBlockView.js'
import { Details } from '../details/Details.js'
import { Icon } from '../icon/Icon.js'
import { isAskUser, readQuestions } from '../question/readQuestion.js'
import { durationBetween } from '../time/durationBetween.js'
import { describeTool } from './describeTool.js'
import { LongText } from './LongText.js'
import { readOutput } from './readOutput.js'
import {
  ToolCallCardContent,
  ToolCallCardExcerpt,
  ToolCallCardMedia,
  ToolCallCardRoot,
  ToolCallCardSection,
  ToolCallCardTitle,
  ToolCallCardTrigger,
} from './ToolCallCardParts.js'
import { ToolInput } from './ToolInput.js'
import { ToolPhaseMark } from './ToolPhaseMark.js'
import type { ToolCallCardProps } from '../chat-root/SlotProps.js'

const busyPhases: ReadonlySet<ToolPhase> = new Set(['writing', 'running'])

/**
 * A tool call with its result: one row that says in words what is done, with which argument and how it stands. Unfolded by the
 * reader, it shows every argument and the whole result. Images and sounds of the result show without unfolding.
 *
 * Parts: `ToolCallCardRoot`, `ToolCallCardTrigger`, `ToolCallCardTitle`, `ToolPhaseMark`, `ToolCallCardExcerpt`,
 * `ToolCallCardMedia`, `ToolCallCardContent`, `ToolCallCardSection`.
 * Data attributes of the root: `data-phase` (see `ToolPhase`), `data-tool` = the tool's name, `data-open`.
 */
export const ToolCallCard: ForwardRefExoticComponent<
  ToolCallCardProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ToolCallCard({ call, result, isReplyLive = false, ...rest }, ref) {
  const { tool, question } = useChatUi().words
  const phase = toolPhase({ call, result, isReplyLive })
  const name = call?.name ?? result?.name ?? ''
  const isWriting = phase === 'writing'
  const input = call?.input ?? ''
  const parsed = useMemo(() => parseToolInput(input, isWriting), [input, isWriting])
  const value = 'value' in parsed ? parsed.value : null
  const { verb, argument, icon } = describeTool(name, value, tool)
  const output = useMemo(() => readOutput(result), [result])
  const isBusy = busyPhases.has(phase)
  // What the person was asked and what they said is the whole of such a call, so it shows without unfolding.
  const isAsked = isAskUser(name)
  const intent = call?.metadata?.['intent']
  const [asked, ...others] = isAsked ? readQuestions(value) : []
  // The answers to several questions repeat these.
  const said = isAsked
    ? (others.length === 0 && asked?.text) || argument
    : argument === null
      ? intent
      : ''
  const excerpt =
    isAsked && phase === 'succeeded'
      ? result?.metadata['dismissed'] === true
        ? question.dismissed
        : // One answer may be for all questions of a call; it stands at the first.
          output.text || (asked && asked.index > 1 ? question.answeredAbove : '')
      : phase === 'failed'
        ? firstLine(output.text)
        : ''
  return (
    <ToolCallCardRoot
      {...rest}
      ref={ref}
      data-phase={phase}
      data-tool={name}
      aria-busy={isBusy ? true : undefined}
    >
      <ToolCallCardTrigger>
        <Icon name={icon} />
        <ToolCallCardTitle>
          <span className="as-row-name">{verb}</span>
          {typeof said === 'string' && said !== '' ? (
            <bdi className="as-row-argument">{said}</bdi>
          ) : argument === null ? null : (
            <code className="as-code as-row-argument">{argument}</code>
          )}
        </ToolCallCardTitle>
        <ToolPhaseMark
          phase={phase}
          durationMs={durationBetween(call?.finished_at ?? result?.created_at, result?.finished_at)}
        />
      </ToolCallCardTrigger>
      {excerpt.trim() === '' ? null : <ToolCallCardExcerpt>{excerpt}</ToolCallCardExcerpt>}
      {output.media.length > 0 ? (
        <ToolCallCardMedia>
          {output.media.map((piece, index) => (
            // Ids of a result's pieces are the tool's own and may repeat; their order never changes.
            <DataBlockView key={`${String(index)} ${piece.id}`} block={piece} />
          ))}
        </ToolCallCardMedia>
      ) : null}
      <ToolCallCardContent>
        {call === null ? null : <InputSection call={call} isWriting={isWriting} />}
        {result === null ? null : <ResultSection text={output.text} isBusy={isBusy} />}
        <MoreSection metadata={result?.metadata ?? noMetadata} />
      </ToolCallCardContent>
    </ToolCallCardRoot>
  )
})

function InputSection(props: {
  readonly call: ToolCallBlock
  readonly isWriting: boolean
}): ReactElement {
  const { call, isWriting } = props
  const { tool } = useChatUi().words
  return (
    <ToolCallCardSection>
      <div className="as-section-head">
        <span>
          {tool.input} · <code className="as-code">{call.name}</code>
        </span>
        <CopyButton label={tool.copyInput} getText={() => call.input} />
      </div>
      <ToolInput input={call.input} isOpen={isWriting} />
    </ToolCallCardSection>
  )
}

function ResultSection(props: { readonly text: string; readonly isBusy: boolean }): ReactElement {
  const { text, isBusy } = props
  const { tool } = useChatUi().words
  return (
    <ToolCallCardSection>
      <div className="as-section-head">
        <span>{tool.result}</span>
        {text === '' ? null : <CopyButton label={tool.copyResult} getText={() => text} />}
      </div>
      {text === '' ? (
        <p className="as-quiet">{isBusy ? tool.phases.running : tool.noResult}</p>
      ) : (
        <LongText text={text} />
      )}
    </ToolCallCardSection>
  )
}

const noMetadata: JsonObject = {}

/** What the tool says about its result, such as how the machine stood. */
function MoreSection({ metadata }: { readonly metadata: JsonObject }): ReactElement | null {
  if (Object.keys(metadata).length === 0) return null
  return (
    <ToolCallCardSection>
      <Details>
        <ToolInput input={JSON.stringify(metadata)} isOpen={false} />
      </Details>
    </ToolCallCardSection>
  )
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? ''
}
