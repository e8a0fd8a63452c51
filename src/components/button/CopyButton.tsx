'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { useCopy } from '../../markdown/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { Button } from './Button.js'
import type { ButtonProps } from './Button.js'

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
  const [outcome, copy] = useCopy()
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
        if (!event.defaultPrevented) copy(getText)
      }}
    >
      <Icon name={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warning' : 'copy'} />
      <span aria-live="polite">{said}</span>
    </Button>
  )
})
