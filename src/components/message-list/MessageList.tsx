'use client'
import { forwardRef, useEffect, useRef } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  ReactElement,
  RefAttributes,
} from 'react'
import {
  selectMessage,
  useChatSelector,
  useChatValue,
  useCommands,
  useHistory,
  useMessageIds,
  usePhase,
} from '../../hooks/index.js'
import type { ChatState, PendingRequest } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { ConfirmCard } from '../confirm/ConfirmCard.js'
import { Icon } from '../icon/Icon.js'
import { QuestionCard } from '../question/QuestionCard.js'
import { isQuestion } from '../question/readQuestion.js'
import { Announcer } from './Announcer.js'
import { EmptyState } from './EmptyState.js'
import { MessageListColumn, MessageListRoot, MessageListScroller } from './MessageListParts.js'
import { MessageRow } from './MessageRow.js'
import { OlderMessages } from './OlderMessages.js'
import { useTailFollower } from './useTailFollower.js'

/** Props of `MessageList`. */
export interface MessageListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Stands above an empty conversation; the kit's own by default. */
  readonly greeting?: string | undefined
  /** What the person might ask first; up to four. */
  readonly suggestions?: readonly string[] | undefined
}

/**
 * The conversation. It follows its end until the reader leaves it, keeps the line being read in place, and fetches older messages ahead
 * of the reader. Answers are read out sentence by sentence, questions and failures at once.
 *
 * Needs an `AgentStreamProvider`. Renders a `div` around a `div` with the role `log`. Parts: `MessageListRoot`,
 * `MessageListScroller`, `MessageListColumn`. Data attributes of the root: `data-following` while it follows its end, `data-phase`.
 */
export const MessageList: ForwardRefExoticComponent<
  MessageListProps & RefAttributes<HTMLDivElement>
> = forwardRef(function MessageList({ greeting, suggestions, ...rest }, ref) {
  const { words, slots } = useChatUi()
  const ids = useMessageIds()
  const phase = usePhase()
  const { send } = useCommands()
  const { phase: historyPhase } = useHistory()
  const { scrollerRef, contentRef, scroller, isFollowing, follow } = useTailFollower()
  useFollowOwnMessage(ids, follow)
  const isEmpty = ids.length === 0 && (historyPhase === 'ready' || historyPhase === 'none')
  const Empty = slots.EmptyState ?? EmptyState
  return (
    <MessageListRoot
      {...rest}
      ref={ref}
      data-following={isFollowing ? '' : undefined}
      data-phase={phase}
    >
      <MessageListScroller ref={scrollerRef} aria-label={words.conversation.label}>
        <MessageListColumn ref={contentRef}>
          <OlderMessages scroller={scroller} />
          {isEmpty && phase === 'idle' ? (
            <Empty
              greeting={greeting}
              suggestions={suggestions}
              onPick={({ suggestion }) => void send(suggestion)}
            />
          ) : null}
          {ids.map((id, index) => (
            <MessageRow key={id} id={id} isLast={index === ids.length - 1} />
          ))}
          <OtherRequests />
          {phase === 'streaming' ? <WaitingLine /> : null}
        </MessageListColumn>
      </MessageListScroller>
      {isFollowing ? null : (
        <Button
          data-as-part="jump-to-latest"
          className="as-jump"
          aria-label={words.conversation.jumpToLatest}
          title={words.conversation.jumpToLatest}
          onClick={() => {
            // The button goes away with the click: focus stays where the reader now is.
            scroller?.focus({ preventScroll: true })
            follow()
          }}
        >
          <Icon name="arrowDown" />
        </Button>
      )}
      <Announcer />
    </MessageListRoot>
  )
})

/** Whoever sends a message wants to see it, wherever the list is scrolled to. */
function useFollowOwnMessage(ids: readonly string[], follow: () => void): void {
  const lastId = ids.at(-1) ?? ''
  const isOwn = useChatSelector((state) => state.sends[lastId] !== undefined)
  const before = useRef(lastId)
  useEffect(() => {
    if (isOwn && before.current !== lastId) follow()
    before.current = lastId
  }, [lastId, isOwn, follow])
}

/** What waits outside of the messages shown: questions of sub-agents, of replies on pages not loaded, about calls lost on the way. */
function OtherRequests(): readonly ReactElement[] {
  const { slots } = useChatUi()
  const Question = slots.QuestionCard ?? QuestionCard
  const Card = slots.ConfirmCard ?? ConfirmCard
  return useChatValue(selectOtherRequests).map((request) =>
    request.kind === 'input' || isQuestion(request) ? (
      <Question key={request.key} request={request} />
    ) : (
      <Card key={request.key} request={request} />
    ),
  )
}

function selectOtherRequests({ conversation }: ChatState): readonly PendingRequest[] {
  return conversation.requests.filter((request) => {
    if (request.kind === 'input' || request.worker !== null) return true
    const { replyId, toolCall } = request
    const content = selectMessage(conversation, replyId)?.content ?? []
    return !content.some(({ type, id }) => type === 'tool_call' && id === toolCall.id)
  })
}

/** Before the first word, and between two pieces, something says that work goes on. */
function WaitingLine(): ReactElement | null {
  const { conversation } = useChatUi().words
  const isQuiet = useChatSelector(selectIsQuiet)
  return isQuiet ? (
    <p className="as-waiting as-late" data-as-part="waiting-line">
      <span className="as-waiting-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="as-sr-only">{conversation.waiting}</span>
    </p>
  ) : null
}

/** Whether nothing in the last message moves by itself. One that waits to be sent is not part of what goes on. */
function selectIsQuiet({ conversation, sends }: ChatState): boolean {
  const last = conversation.messages.findLast(({ id }) => sends[id]?.phase !== 'held')
  const block = last?.content.at(-1)
  if (last === undefined || block === undefined || last.role !== 'assistant') return true
  if (block.type === 'tool_result') return block.state !== 'running'
  return block.type !== 'tool_call' && (block.finished_at ?? null) !== null
}
