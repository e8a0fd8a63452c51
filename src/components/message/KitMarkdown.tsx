'use client'
import type { ReactElement } from 'react'
import type { TextGrowth } from '../../hooks/index.js'
import { Markdown } from '../../markdown/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'

/** What is written, and whether it still is. */
export interface KitMarkdownProps {
  /** Markdown. */
  readonly text: string
  /** How it came about, when that is known. */
  readonly growth?: TextGrowth | undefined
  /** Whether more may come. */
  readonly isStreaming: boolean
}

/** Markdown with the words and the policy of the nearest root. */
export function KitMarkdown(props: KitMarkdownProps): ReactElement {
  const { text, growth, isStreaming } = props
  const { words, urlPolicy } = useChatUi()
  return (
    <Markdown
      text={text}
      growth={growth}
      streaming={isStreaming}
      urlPolicy={urlPolicy}
      words={words.markdown}
    />
  )
}
