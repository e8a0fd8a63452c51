'use client'
import { forwardRef, useEffect, useState } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { Button } from './Button.js'
import type { ButtonProps } from './Button.js'

/** How long the outcome stays on the button. */
const OUTCOME_MS = 2000

/** Props of `CopyButton`. */
export interface CopyButtonProps extends Omit<ButtonProps, 'children'> {
  /** Gives what is copied, at the moment of the click. */
  readonly getText: () => string
  /** What it copies, in words; "Copy" by default. */
  readonly label?: string
}

/**
 * Copies a text and says whether that worked; a refusal is shown, never passed off as done.
 *
 * Data attributes: `data-as-part="copy-button"`, `data-outcome` = `copied` or `failed` for two seconds.
 */
export const CopyButton: ForwardRefExoticComponent<
  CopyButtonProps & RefAttributes<HTMLButtonElement>
> = forwardRef(function CopyButton({ getText, label, onClick, ...rest }, ref) {
  const { actions } = useChatUi().words
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), OUTCOME_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (): Promise<void> => {
    try {
      // Missing on pages without a secure context: then this throws, and the failure is shown.
      await navigator.clipboard.writeText(getText())
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  const said =
    outcome === undefined ? '' : { copied: actions.copied, failed: actions.copyFailed }[outcome]
  return (
    <Button
      data-as-part="copy-button"
      look="icon"
      aria-label={label ?? actions.copy}
      title={label ?? actions.copy}
      {...rest}
      ref={ref}
      data-outcome={outcome}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) void copy()
      }}
    >
      <Icon name={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warning' : 'copy'} />
      <span aria-live="polite">{said}</span>
    </Button>
  )
})
