'use client'

import { useContext } from 'react'
import type { ReactElement } from 'react'
import { useCopy } from './useCopy.js'
import { WordsContext } from './WordsContext.js'

/** Copies a text without its last line end and says whether that worked. The words on it are not part of a selection. */
export function CopyButton({ text }: { readonly text: string }): ReactElement {
  const words = useContext(WordsContext)
  const [outcome, copy] = useCopy()
  const said = { copied: words.copied, failed: words.copyFailed }
  const label = outcome === undefined ? words.copyCode : said[outcome]
  return (
    <>
      <button
        type="button"
        className="as-md-copy"
        data-outcome={outcome}
        onClick={() => copy(() => text.replace(/\r?\n$/, ''))}
      >
        {label}
      </button>
      <span className="as-md-hidden" role="status">
        {outcome === undefined ? '' : label}
      </span>
    </>
  )
}
