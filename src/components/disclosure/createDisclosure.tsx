'use client'
import { forwardRef, useId, useMemo, useState } from 'react'
import type {
  ComponentPropsWithRef,
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  RefAttributes,
} from 'react'
import { Icon } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'
import { DisclosureState, useDisclosure } from './DisclosureState.js'

/** Props of the root of something that unfolds. */
export interface DisclosureRootProps extends ComponentPropsWithoutRef<'div'> {
  /** Whether it is unfolded at first; folded by default. Nothing but the reader changes it afterwards. */
  readonly defaultOpen?: boolean | undefined
  /** Whether it is unfolded, when the app decides. */
  readonly open?: boolean | undefined
  /** Told when the reader folds or unfolds it. */
  readonly onOpenChange?: ((change: { readonly open: boolean }) => void) | undefined
}

/** The root: a `div` with `data-open` while it is unfolded. */
export type DisclosureRoot = ForwardRefExoticComponent<
  DisclosureRootProps & RefAttributes<HTMLDivElement>
>

/** The row that folds and unfolds: a `button`. */
export type DisclosureTrigger = ForwardRefExoticComponent<ComponentPropsWithRef<'button'>>

/** What unfolds: a `div`, absent while folded. */
export type DisclosureContent = ForwardRefExoticComponent<ComponentPropsWithRef<'div'>>

/**
 * Makes the root of something that unfolds.
 *
 * @param name - The part's name in kebab-case.
 */
export function createDisclosureRoot(name: string): DisclosureRoot {
  const Root: DisclosureRoot = forwardRef(function DisclosureRoot(props, ref) {
    const { defaultOpen = false, open, onOpenChange, ...rest } = props
    const contentId = useId()
    const [isUnfolded, setUnfolded] = useState(defaultOpen)
    const isOpen = open ?? isUnfolded
    const value = useMemo(() => {
      const toggle = (): void => {
        setUnfolded(!isOpen)
        onOpenChange?.({ open: !isOpen })
      }
      return { isOpen, contentId, toggle }
    }, [isOpen, contentId, onOpenChange])
    return (
      <DisclosureState.Provider value={value}>
        <div {...partProps(name, rest)} ref={ref} data-open={isOpen ? '' : undefined} />
      </DisclosureState.Provider>
    )
  })
  Root.displayName = 'DisclosureRoot'
  return Root
}

/**
 * Makes the row that folds and unfolds.
 *
 * @param name - The part's name in kebab-case.
 */
export function createDisclosureTrigger(name: string): DisclosureTrigger {
  const Trigger: DisclosureTrigger = forwardRef<
    HTMLButtonElement,
    ComponentPropsWithoutRef<'button'>
  >(function DisclosureTrigger({ onClick, children, ...rest }, ref) {
    const { isOpen, toggle, contentId } = useDisclosure()
    return (
      <button
        type="button"
        {...partProps(name, rest, `as-row as-${name}`)}
        ref={ref}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={(event) => {
          onClick?.(event)
          if (!event.defaultPrevented) toggle()
        }}
      >
        {children}
        <Icon name="chevron" />
      </button>
    )
  })
  Trigger.displayName = 'DisclosureTrigger'
  return Trigger
}

/**
 * Makes what unfolds.
 *
 * @param name - The part's name in kebab-case.
 */
export function createDisclosureContent(name: string): DisclosureContent {
  const Content: DisclosureContent = forwardRef<HTMLDivElement, ComponentPropsWithoutRef<'div'>>(
    function DisclosureContent(props, ref) {
      const { isOpen, contentId } = useDisclosure()
      if (!isOpen) return null
      return <div {...partProps(name, props)} ref={ref} id={contentId} />
    },
  )
  Content.displayName = 'DisclosureContent'
  return Content
}
