'use client'
import { forwardRef } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  KeyboardEvent,
  MouseEvent,
  RefAttributes,
} from 'react'
import { joinClasses } from '../part/joinClasses.js'

/** Props of a button. */
export interface ButtonProps extends ComponentPropsWithoutRef<'button'> {
  /** How it looks; `edge` by default. At most one `accent` stands beside another. */
  readonly look?: 'edge' | 'accent' | 'plain' | 'icon' | 'link'
  /** Its name among the parts. */
  readonly 'data-as-part'?: string
}

/**
 * A button that stays focusable while it cannot be used (`aria-disabled`), and that a held-down key presses only once.
 *
 * Data attributes: `data-look`.
 */
export const Button: ForwardRefExoticComponent<ButtonProps & RefAttributes<HTMLButtonElement>> =
  forwardRef(function Button({ look = 'edge', className, onClick, onKeyDown, ...rest }, ref) {
    const isOff = rest['aria-disabled'] === true || rest['aria-disabled'] === 'true'

    const press = (event: MouseEvent<HTMLButtonElement>): void => {
      if (isOff) event.preventDefault()
      else onClick?.(event)
    }
    const refuseRepeat = (event: KeyboardEvent<HTMLButtonElement>): void => {
      onKeyDown?.(event)
      if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
    }
    return (
      <button
        type="button"
        data-look={look}
        {...rest}
        ref={ref}
        className={joinClasses('as-button', className)}
        onClick={press}
        onKeyDown={refuseRepeat}
      />
    )
  })
