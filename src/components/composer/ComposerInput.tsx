'use client'
import { forwardRef, useRef } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  KeyboardEvent,
  RefAttributes,
} from 'react'
import { partProps } from '../part/partProps.js'
import { useClientLayoutEffect } from '../part/useClientLayoutEffect.js'
import { useMergedRef } from '../part/useMergedRef.js'

/** Props of `ComposerInput`. */
export interface ComposerInputProps extends Omit<ComponentPropsWithoutRef<'textarea'>, 'value'> {
  /** The text. */
  readonly value: string
  /** Which key sends: `enter` (default; a touch keyboard's Enter is a new line) or `mod-enter` (Ctrl or Command with Enter). */
  readonly submitKey?: 'enter' | 'mod-enter' | undefined
  /** Told when that key was pressed. */
  readonly onSubmitKey?: (() => void) | undefined
}

/**
 * The text field: as high as its text, up to its `max-block-size`; Enter sends, Shift+Enter makes a new line. A key that belongs to an
 * input method, such as the Enter that picks a Chinese word, is left to it.
 *
 * Renders a `textarea`. Data attributes: `data-as-part="composer-input"`.
 */
export const ComposerInput: ForwardRefExoticComponent<
  ComposerInputProps & RefAttributes<HTMLTextAreaElement>
> = forwardRef(function ComposerInput(props, ref) {
  const { value, submitKey = 'enter', onSubmitKey, onKeyDown, ...rest } = props
  const own = useRef<HTMLTextAreaElement>(null)
  const mergedRef = useMergedRef(own, ref)

  useClientLayoutEffect(() => {
    const field = own.current
    if (field === null || growsByItself()) return
    field.style.blockSize = 'auto'
    field.style.blockSize = `${String(field.scrollHeight)}px`
  }, [value])

  const watchKeys = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    onKeyDown?.(event)
    if (event.defaultPrevented || !isSubmit(event.nativeEvent, submitKey)) return
    event.preventDefault()
    if (!event.repeat) onSubmitKey?.()
  }
  return (
    <textarea
      rows={1}
      dir="auto"
      autoComplete="off"
      enterKeyHint={submitKey === 'enter' ? 'send' : 'enter'}
      {...partProps('composer-input', rest)}
      ref={mergedRef}
      value={value}
      onKeyDown={watchKeys}
    />
  )
})

/** jsdom has no `CSS`, and what stands in for it may lack `supports`. */
function growsByItself(): boolean {
  return typeof CSS === 'object' && CSS.supports?.('field-sizing', 'content')
}

/** Safari ends the composition before the key that ended it, so there only the key code 229 tells. */
function isSubmit(event: globalThis.KeyboardEvent, submitKey: 'enter' | 'mod-enter'): boolean {
  if (event.isComposing || event.keyCode === 229 || event.key !== 'Enter') return false
  if (event.ctrlKey || event.metaKey) return true
  return submitKey === 'enter' && !event.shiftKey && !event.altKey && !isTouchKeyboard()
}

function isTouchKeyboard(): boolean {
  return (
    typeof matchMedia === 'function' && matchMedia('(hover: none) and (pointer: coarse)').matches
  )
}
