'use client'
import { forwardRef, useEffect, useId, useRef } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  KeyboardEvent,
  ReactNode,
  RefAttributes,
} from 'react'
import { useRequests } from '../../hooks/index.js'
import type { PendingRequest, ToolCallRequest } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'
import { useMergedRef } from '../part/useMergedRef.js'
import { ConfirmCard } from './ConfirmCard.js'
import { keepTabInside } from './keepTabInside.js'
import { useModal } from './useModal.js'

/** Props of `ConfirmDialog`. */
export interface ConfirmDialogProps extends Omit<
  ComponentPropsWithoutRef<'dialog'>,
  'open' | 'children'
> {
  /** Whether it is wanted. It shows only while something waits for the person. */
  readonly open: boolean
  /** Told when it closes: by Escape or the close button, without a decision, or because nothing waits any more. */
  readonly onOpenChange: (change: { readonly open: boolean }) => void
  /** Which requests; by default all that wait for an approval. */
  readonly requests?: readonly ToolCallRequest[] | undefined
}

/**
 * What waits for the person's approval, as a modal dialog. Focus stays in it and starts on the title, so that no key already on
 * its way decides anything; Escape closes it and decides nothing; afterwards focus is back where it was.
 *
 * Needs an `AgentStreamProvider`. Renders a `dialog`. Data attributes: `data-as-part="confirm-dialog"`.
 */
export const ConfirmDialog: ForwardRefExoticComponent<
  ConfirmDialogProps & RefAttributes<HTMLDialogElement>
> = forwardRef(function ConfirmDialog(props, ref) {
  const { open, onOpenChange, requests, onKeyDown, onClose, ...rest } = props
  const { words, slots } = useChatUi()
  const pending = useRequests()
  const shown = requests ?? pending.filter(isConfirm)
  const isShown = open && shown.length > 0
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const mergedRef = useMergedRef(dialog, ref)
  useModal(dialog, isShown)
  useEffect(() => {
    if (open && shown.length === 0) onOpenChange({ open: false })
  }, [open, shown.length, onOpenChange])

  const trapTab = (event: KeyboardEvent<HTMLDialogElement>): void => {
    onKeyDown?.(event)
    if (event.key === 'Tab' && keepTabInside(event.currentTarget, event.shiftKey)) {
      event.preventDefault()
    }
  }
  const Card = slots.ConfirmCard ?? ConfirmCard
  const content: ReactNode = isShown ? (
    <>
      <header className="as-confirm-dialog-head">
        <h2 id={titleId} tabIndex={-1} className="as-confirm-dialog-title">
          {words.confirm.waiting(shown.length)}
        </h2>
        <Button
          look="icon"
          aria-label={words.actions.close}
          title={words.actions.close}
          onClick={() => onOpenChange({ open: false })}
        >
          <Icon name="cross" />
        </Button>
      </header>
      {shown.map((request) => (
        <Card key={request.key} request={request} />
      ))}
    </>
  ) : null
  return (
    <dialog
      {...partProps('confirm-dialog', rest)}
      ref={mergedRef}
      aria-labelledby={titleId}
      onKeyDown={trapTab}
      onClose={(event) => {
        onClose?.(event)
        if (isShown) onOpenChange({ open: false })
      }}
    >
      {content}
    </dialog>
  )
})

/**
 * Tells whether a request waits for the person's approval.
 *
 * @param request - Any request.
 */
export function isConfirm(request: PendingRequest): request is ToolCallRequest {
  return request.kind === 'confirm'
}
