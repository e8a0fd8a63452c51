import { useEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { Icon } from './Icon.js'

/** Props of `Modal`. */
export interface ModalProps {
  /** Its class. */
  readonly className: string
  /** Its name, for screen readers. */
  readonly label: string
  /** Whether it is shown. */
  readonly isOpen: boolean
  /** The person closed it. */
  readonly onClose: () => void
  /** What it holds; mounted only while it is open. */
  readonly children: ReactNode
}

/** A window above the page: the browser keeps the focus inside and closes it on Escape or a click beside it. */
export function Modal({ className, label, isOpen, onClose, children }: ModalProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || dialog.open === isOpen) return
    if (isOpen) dialog.showModal()
    else dialog.close()
  }, [isOpen])
  return (
    <dialog
      ref={ref}
      className={`demo-modal ${className}`}
      aria-label={label}
      closedby="any"
      onClose={onClose}
    >
      {isOpen ? (
        <div className="demo-modal-body">
          <button
            type="button"
            className="demo-button demo-square demo-close"
            aria-label="Close"
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
          {children}
        </div>
      ) : null}
    </dialog>
  )
}
