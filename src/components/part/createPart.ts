'use client'
import { createElement, forwardRef } from 'react'
import type {
  ComponentPropsWithRef,
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  ReactElement,
  Ref,
} from 'react'
import { partProps } from './partProps.js'

/** The elements that plain parts render. */
export type PartTag =
  'div' | 'span' | 'p' | 'ul' | 'h3' | 'section' | 'article' | 'header' | 'footer'

/** A part: one element that takes all of its props, its ref, a class and a style. */
export type Part<Tag extends PartTag> = ForwardRefExoticComponent<ComponentPropsWithRef<Tag>>

/**
 * Makes a part without behaviour: the element, the class `as-NAME` and `data-as-part="NAME"`.
 *
 * @param tag - The element it renders.
 * @param name - The part's name in kebab-case.
 * @param fixed - Props the element has unless the caller gives others.
 */
export function createPart<Tag extends PartTag>(
  tag: Tag,
  name: string,
  fixed: ComponentPropsWithoutRef<PartTag> = {},
): Part<Tag> {
  function render(props: ComponentPropsWithoutRef<PartTag>, ref: Ref<never>): ReactElement {
    const shown = { ...fixed, ...partProps(name, props), ref }
    return createElement<typeof shown>(tag, shown)
  }
  const part = forwardRef(render)
  part.displayName = name.replace(/(?:^|-)([a-z])/g, (_match, letter: string) =>
    letter.toUpperCase(),
  )
  // TypeScript cannot see that the props of a chosen tag fit `createElement(tag, …)`; the elements of PartTag share them.
  return part as unknown as Part<Tag>
}
