'use client'
import { useEffect, useRef } from 'react'
import type { ReactElement, RefObject } from 'react'
import { useChatSelector, useMessage, useReply, useRequests } from '../../hooks/index.js'
import type { ChatState } from '../../hooks/index.js'
import { getTextContent } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { isConfirm } from '../confirm/ConfirmDialog.js'
import { readOwn } from '../tool-call-card/describeTool.js'
import { speakable } from './speakable.js'

/** A region that keeps everything ever said would be read out again by some screen readers. */
const KEPT_LINES = 4

/**
 * Tells assistive technology what happens: the answer sentence by sentence, politely; questions and failures at once. Words that were
 * there before the page was are not read out.
 */
export function Announcer(): ReactElement {
  const polite = useRef<HTMLDivElement>(null)
  const urgent = useRef<HTMLDivElement>(null)
  const lastId = useChatSelector(selectLastId)
  return (
    <div className="as-sr-only">
      <div ref={polite} aria-live="polite" />
      <div ref={urgent} aria-live="assertive" />
      <AnswerSpeaker key={lastId} id={lastId} polite={polite} urgent={urgent} />
      <RequestSpeaker urgent={urgent} />
    </div>
  )
}

function selectLastId({ conversation }: ChatState): string {
  return conversation.messages.at(-1)?.id ?? ''
}

type Region = RefObject<HTMLDivElement | null>

function AnswerSpeaker(props: {
  readonly id: string
  readonly polite: Region
  readonly urgent: Region
}): null {
  const { id, polite, urgent } = props
  const { notice } = useChatUi().words
  const message = useMessage(id)
  const isRunning = useReply(id)?.phase === 'running'
  const text =
    message === null || message.role !== 'assistant' ? '' : (getTextContent(message) ?? '')
  const spoken = useRef<number | null>(null)
  const wasRunning = useRef(false)
  const error = message?.error?.type

  useEffect(() => {
    // What is there when the answer is first seen, and does not grow, is history.
    spoken.current ??= isRunning ? 0 : text.length
    const { words, upTo } = speakable(text, spoken.current, !isRunning)
    spoken.current = upTo
    say(polite, words)
  }, [text, isRunning, polite])

  useEffect(() => {
    if (wasRunning.current && !isRunning && error !== undefined) {
      say(urgent, readOwn(notice.replyErrors, error) ?? notice.replyErrors['unknown'] ?? '')
    }
    wasRunning.current = isRunning
  }, [isRunning, error, notice, urgent])
  return null
}

function RequestSpeaker({ urgent }: { readonly urgent: Region }): null {
  const { confirm } = useChatUi().words
  const count = useRequests().filter(isConfirm).length
  const before = useRef(0)
  useEffect(() => {
    if (count > before.current) say(urgent, confirm.waiting(count))
    before.current = count
  }, [count, confirm, urgent])
  return null
}

/** Screen readers hear what is added to a region. */
function say(region: Region, words: string): void {
  const element = region.current
  if (element === null || words === '') return
  const line = element.ownerDocument.createElement('p')
  line.textContent = words
  element.append(line)
  while (element.childElementCount > KEPT_LINES) element.firstElementChild?.remove()
}
