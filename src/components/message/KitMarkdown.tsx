'use client'
import type { ReactElement } from 'react'
import { Markdown } from '../../markdown/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'

/** What is written, and whether it still is. */
export interface KitMarkdownProps {
  /** Markdown. */
  readonly text: string
  /** Whether more may come. */
  readonly isStreaming: boolean
}

/** Markdown with the words and the policy of the nearest root. */
export function KitMarkdown({ text, isStreaming }: KitMarkdownProps): ReactElement {
  const { words, urlPolicy } = useChatUi()
  return (
    <Markdown text={text} streaming={isStreaming} urlPolicy={urlPolicy} words={words.markdown} />
  )
}
