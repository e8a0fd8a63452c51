'use client'
import { forwardRef, useRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { useFocusKeeper } from '../confirm/useFocusKeeper.js'
import { partProps } from '../part/partProps.js'
import { useMergedRef } from '../part/useMergedRef.js'
import type { EmptyStateProps } from '../chat-root/SlotProps.js'

/** More would be a menu, not a suggestion. */
const MAX_SUGGESTIONS = 4

/**
 * What a conversation shows before its first message: a greeting and up to four suggestions.
 *
 * Renders a `div`. Data attributes: `data-as-part="empty-state"`.
 */
export const EmptyState: ForwardRefExoticComponent<
  EmptyStateProps & RefAttributes<HTMLDivElement>
> = forwardRef(function EmptyState(props, ref) {
  const { greeting, suggestions = [], onPick, ...rest } = props
  const { conversation } = useChatUi().words
  const ownRef = useRef<HTMLDivElement>(null)
  const mergedRef = useMergedRef(ownRef, ref)
  useFocusKeeper(ownRef)
  return (
    <div {...partProps('empty-state', rest)} ref={mergedRef}>
      <p className="as-greeting" dir="auto">
        {greeting ?? conversation.greeting}
      </p>
      {suggestions.length === 0 ? null : (
        <ul className="as-suggestions" aria-label={conversation.suggestions}>
          {[...new Set(suggestions)].slice(0, MAX_SUGGESTIONS).map((suggestion) => (
            <li key={suggestion}>
              <Button className="as-suggestion" onClick={() => onPick({ suggestion })}>
                <bdi>{suggestion}</bdi>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
})
