'use client'
import { forwardRef, useEffect, useState } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import { useRequests } from '../../hooks/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'
import { describeWaiting, waitsForPerson } from '../question/waiting.js'

/** Props of `ApprovalBar`. */
export interface ApprovalBarProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The element in which the cards are looked for. */
  readonly within: HTMLElement | null
  /** Told that the person wants to see what waits, and the first card if there is one. */
  readonly onReview: (review: { readonly card: HTMLElement | null }) => void
  /** Whether the bar also shows while a card is in sight; `false` by default. */
  readonly always?: boolean | undefined
}

const CARD = '[data-as-part="message-list"] [data-as-part="confirm-card"]'

/**
 * A bar that says how many actions wait for the person's approval and how many questions for an answer, while none of their cards
 * is in sight.
 *
 * Needs an `AgentStreamProvider`. Renders a `div`. Data attributes: `data-as-part="approval-bar"`.
 */
export const ApprovalBar: ForwardRefExoticComponent<
  ApprovalBarProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ApprovalBar({ within, onReview, always = false, ...rest }, ref) {
  const { words } = useChatUi()
  const waiting = useRequests().filter(waitsForPerson)
  const isInSight = useIsInSight(within, waiting.map(({ key }) => key).join(' '))
  if (waiting.length === 0 || (isInSight && !always)) return null
  return (
    <div {...partProps('approval-bar', rest)} ref={ref}>
      <Icon name="ask" />
      <span>{describeWaiting(waiting, words)}</span>
      <Button onClick={() => onReview({ card: within?.querySelector<HTMLElement>(CARD) ?? null })}>
        {words.confirm.review}
      </Button>
    </div>
  )
})

/** Whether one of the cards can be seen. Until that is known they count as seen, so that nothing flashes. */
function useIsInSight(within: HTMLElement | null, keys: string): boolean {
  const [isInSight, setInSight] = useState(true)
  useEffect(() => {
    if (within === null || keys === '' || typeof IntersectionObserver === 'undefined') {
      return undefined
    }
    const seen = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target)
        else seen.delete(target)
      }
      setInSight(seen.size > 0)
    })
    for (const card of within.querySelectorAll(CARD)) observer.observe(card)
    return () => observer.disconnect()
  }, [within, keys])
  return isInSight
}
