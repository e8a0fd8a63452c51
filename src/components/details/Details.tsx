'use client'
import type { ReactElement, ReactNode } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'

/** Props of `Details`. */
export interface DetailsProps {
  /** What unfolds. Text, such as a server's own words, shows as it is, never as markup; without any, nothing is there. */
  readonly children: ReactNode
  /** What is to be seen before that; a word for details by default. */
  readonly summary?: string | undefined
}

/** Something for those who want to know more, folded at first. */
export function Details({ children, summary }: DetailsProps): ReactElement | null {
  const { actions } = useChatUi().words
  if (children === undefined || children === '') return null
  return (
    <details className="as-details">
      <summary>{summary ?? actions.details}</summary>
      {typeof children === 'string' ? (
        <pre className="as-code" dir="auto">
          {children}
        </pre>
      ) : (
        children
      )}
    </details>
  )
}
