'use client'
import { memo } from 'react'
import type { NamedExoticComponent, ReactElement } from 'react'
import type { MessageView, ToolCallRequest } from '../../hooks/index.js'
import type { Role } from '../../protocol/index.js'
import type { ChatSlots } from '../chat-root/ChatSlots.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { ConfirmCard } from '../confirm/ConfirmCard.js'
import { DataBlockView } from '../data-block-view/DataBlockView.js'
import { HintView } from '../hint-view/HintView.js'
import { QuestionCard } from '../question/QuestionCard.js'
import { isQuestion } from '../question/readQuestion.js'
import { ThinkingPanel } from '../thinking-panel/ThinkingPanel.js'
import { ToolCallCard } from '../tool-call-card/ToolCallCard.js'
import { BlockBoundary } from './BlockBoundary.js'
import { TextView } from './TextView.js'
import { UnknownView } from './UnknownView.js'

/** Props of `MessageBlock`. */
export interface MessageBlockProps {
  /** The piece; the same object as long as nothing in it changes. */
  readonly item: MessageView
  /** Who wrote it. */
  readonly from: Role
  /** Whether this piece may still change. */
  readonly isLive: boolean
  /** The request that waits for this call; null when none does. */
  readonly request: ToolCallRequest | null
}

const noTools: NonNullable<ChatSlots['tools']> = {}

/** One piece of a message. It renders again only when that very piece changes. */
export const MessageBlock: NamedExoticComponent<MessageBlockProps> = memo(
  function MessageBlock(props) {
    const { conversation } = useChatUi().words
    return (
      <BlockBoundary fallback={<p className="as-quiet">{conversation.brokenBlock}</p>}>
        <Piece {...props} />
      </BlockBoundary>
    )
  },
)

function Piece({ item, from, isLive, request }: MessageBlockProps): ReactElement {
  const { slots } = useChatUi()
  switch (item.kind) {
    case 'text': {
      const Text = slots.Text ?? TextView
      return <Text block={item.block} from={from} isStreaming={isLive} />
    }
    case 'thinking': {
      const Panel = slots.ThinkingPanel ?? ThinkingPanel
      return <Panel block={item.block} isStreaming={isLive} />
    }
    case 'data': {
      const Data = slots.DataBlockView ?? DataBlockView
      return <Data block={item.block} isStreaming={isLive} />
    }
    case 'hint': {
      const Hint = slots.HintView ?? HintView
      return <Hint block={item.block} />
    }
    case 'tool': {
      const { call, result } = item
      if (request?.kind === 'confirm') {
        const Confirm = slots.ConfirmCard ?? ConfirmCard
        return <Confirm request={request} />
      }
      const { tools = noTools } = slots
      const name = call?.name ?? result?.name ?? ''
      const Own = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (Own === undefined && request !== null && isQuestion(request)) {
        const Question = slots.QuestionCard ?? QuestionCard
        return <Question request={request} />
      }
      const Card = Own ?? slots.ToolCallCard ?? ToolCallCard
      return <Card call={call} result={result} isReplyLive={isLive} />
    }
    case 'unknown': {
      const Unknown = slots.Unknown ?? UnknownView
      return <Unknown block={item.block} />
    }
  }
}
