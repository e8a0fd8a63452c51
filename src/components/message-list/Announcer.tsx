'use client'
import { useEffect, useRef, useState } from 'react'
import type { ReactElement, RefObject } from 'react'
import { ownEntry, useChatSelector, useMessage, useReply, useRequests } from '../../hooks/index.js'
import type { ChatState } from '../../hooks/index.js'
import { getContentBlocks } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { describeWaiting, waitsForPerson } from '../question/waiting.js'
import { createSpeaker } from './createSpeaker.js'
import type { Speaker } from './createSpeaker.js'

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
  const [firstId] = useState(lastId)
  return (
    <div className="as-sr-only">
      <div ref={polite} aria-live="polite" />
      <div ref={urgent} aria-live="assertive" />
      <AnswerSpeaker
        key={lastId}
        id={lastId}
        isNew={lastId !== firstId}
        polite={polite}
        urgent={urgent}
      />
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
  readonly isNew: boolean
  readonly polite: Region
  readonly urgent: Region
}): null {
  const { id, isNew, polite, urgent } = props
  const { notice, markdown } = useChatUi().words
  const message = useMessage(id)
  const reply = useReply(id)
  const isRunning = reply?.phase === 'running'
  // An answer that came whole was never seen running. What came from history was not heard at all.
  const isHeard = isRunning || (isNew && reply !== null)
  const speaker = useRef<Speaker | null>(null)
  const hasCried = useRef(false)
  const wasHeard = useRef(false)
  const error = message?.error?.type

  useEffect(() => {
    const texts = message?.role === 'assistant' ? getContentBlocks(message, 'text') : []
    speaker.current ??= createSpeaker(markdown, isHeard ? [] : texts)
    say(polite, speaker.current(texts, !isRunning))
  }, [message, isRunning, isHeard, markdown, polite])

  useEffect(() => {
    wasHeard.current ||= isHeard
    if (!wasHeard.current || isRunning || error === undefined || hasCried.current) return
    hasCried.current = true
    say(urgent, ownEntry(notice.replyErrors, error) ?? notice.replyErrors['unknown'] ?? '')
  }, [isHeard, isRunning, error, notice, urgent])
  return null
}

function RequestSpeaker({ urgent }: { readonly urgent: Region }): null {
  const { words } = useChatUi()
  const waiting = useRequests().filter(waitsForPerson)
  const count = waiting.length
  const sentence = describeWaiting(waiting, words)
  const before = useRef(0)
  const line = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (count !== before.current) {
      // What was said of the questions is no longer so: nobody should find it there.
      line.current?.remove()
      line.current = count > before.current ? say(urgent, sentence) : null
    }
    before.current = count
  }, [count, sentence, urgent])
  return null
}

/** Screen readers hear what is added to a region. Returns the line added. */
function say(region: Region, words: string): HTMLElement | null {
  const element = region.current
  if (element === null || words === '') return null
  const line = element.ownerDocument.createElement('p')
  line.textContent = words
  element.append(line)
  while (element.childElementCount > KEPT_LINES) element.firstElementChild?.remove()
  return line
}
