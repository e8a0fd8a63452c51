'use client'
import { useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'

const PREVIEW_LINES = 12
const PREVIEW_LENGTH = 1600

/** Text set in mono, as it is; a long one is folded until the reader asks. */
export function LongText({ text }: { readonly text: string }): ReactElement {
  const { actions } = useChatUi().words
  const [isWhole, setWhole] = useState(false)
  const { preview, lines } = useMemo(() => fold(text), [text])
  const isLong = preview.length < text.length
  return (
    <div
      className="as-long-text"
      data-as-part="long-text"
      data-folded={isLong && !isWhole ? '' : undefined}
    >
      <pre className="as-code as-long-text-body">{isWhole ? text : preview}</pre>
      {isLong ? (
        <Button look="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? actions.showLess : actions.showAll(lines)}
        </Button>
      ) : null}
    </div>
  )
}

function fold(text: string): { preview: string; lines: number } {
  const lines = text.split('\n')
  const preview = lines.slice(0, PREVIEW_LINES).join('\n').slice(0, PREVIEW_LENGTH)
  // A few lines more are shown rather than hidden behind a button of their size.
  const isShort = lines.length <= PREVIEW_LINES + 3 && text.length <= PREVIEW_LENGTH * 1.2
  return { preview: isShort ? text : preview, lines: lines.length }
}
