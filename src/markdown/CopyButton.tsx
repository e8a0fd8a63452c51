'use client'

import { useContext, useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { WordsContext } from './WordsContext.js'

/** How long the outcome of copying stays on the button. */
const OUTCOME_MS = 2000

/** Copies a text and says whether that worked. The words on it are not part of a selection. */
export function CopyButton({ text }: { readonly text: string }): ReactElement {
  const words = useContext(WordsContext)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), OUTCOME_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      // Refused by permission or focus, or a page without a secure context, which has no clipboard.
      setOutcome('failed')
    }
  }
  const said = { copied: words.copied, failed: words.copyFailed }
  const label = outcome === undefined ? words.copyCode : said[outcome]
  return (
    <>
      <button
        type="button"
        className="as-md-copy"
        data-outcome={outcome}
        onClick={() => void copy()}
      >
        {label}
      </button>
      <span className="as-md-hidden" role="status">
        {outcome === undefined ? '' : label}
      </span>
    </>
  )
}
