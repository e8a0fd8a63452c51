'use client'
import { useCallback } from 'react'
import type { Ref, RefCallback, RefObject } from 'react'

/**
 * A ref for an element that both the component and its caller want to hold.
 *
 * @param ownRef - The component's.
 * @param given - The caller's.
 */
export function useMergedRef<Element>(
  ownRef: RefObject<Element | null>,
  given: Ref<Element>,
): RefCallback<Element> {
  return useCallback(
    (element: Element | null) => {
      ownRef.current = element
      assign(given, element)
    },
    [ownRef, given],
  )
}

/**
 * The same for a component that keeps the element in its state.
 *
 * @param own - Told about the element.
 * @param given - The caller's ref.
 */
export function useMergedCallbackRef<Element>(
  own: (element: Element | null) => void,
  given: Ref<Element>,
): RefCallback<Element> {
  return useCallback(
    (element: Element | null) => {
      own(element)
      assign(given, element)
    },
    [own, given],
  )
}

function assign<Element>(ref: Ref<Element>, element: Element | null): void {
  if (typeof ref === 'function') ref(element)
  else if (ref !== null) ref.current = element
}
