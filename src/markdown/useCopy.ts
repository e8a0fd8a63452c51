'use client'

import { useEffect, useState } from 'react'

/** How long the outcome of copying is told. */
const OUTCOME_MS = 2000

/** What came of copying; `undefined` before, and a while after. */
type CopyOutcome = 'copied' | 'failed' | undefined

/**
 * Copies text to the clipboard and tells what came of it.
 *
 * @returns The latest outcome, for two seconds, and the function that copies.
 */
export function useCopy(): [outcome: CopyOutcome, copy: (getText: () => string) => void] {
  const [outcome, setOutcome] = useState<CopyOutcome>()

  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), OUTCOME_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (getText: () => string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(getText())
      setOutcome('copied')
    } catch {
      // Refused by permission or focus, or a page without a secure context, which has no clipboard.
      setOutcome('failed')
    }
  }
  return [outcome, (getText) => void copy(getText)]
}
