'use client'
import { forwardRef, useCallback, useMemo, useState } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import { en, extendWords } from '../../i18n/index.js'
import type { WordsOverrides } from '../../i18n/index.js'
import { defaultUrlPolicy } from '../../policy/index.js'
import type { UrlPolicy } from '../../policy/index.js'
import { partProps } from '../part/partProps.js'
import type { ChatSlots } from './ChatSlots.js'
import { ChatUi } from './ChatUi.js'
import { TakeBackContext } from './TakeBack.js'
import type { TakeBack } from './TakeBack.js'

/** Props of `ChatRoot`. */
export interface ChatRootProps extends ComponentPropsWithoutRef<'div'> {
  /** The kit's words: a language such as `zh`, or single words to replace in English, the default. Keep its identity between renders. */
  readonly words?: WordsOverrides | undefined
  /** What content may open or load; by default links open and media ask. */
  readonly urlPolicy?: UrlPolicy | undefined
  /** The app's own pieces. Keep its identity between renders. */
  readonly slots?: ChatSlots | undefined
  /** `system` (default), `light`, `dark`, or `inherit` for the page's own `color-scheme`. */
  readonly theme?: 'system' | 'light' | 'dark' | 'inherit' | undefined
  /** How close things stand; `comfortable` by default. */
  readonly density?: 'comfortable' | 'compact' | undefined
  /** `system` (default) follows the system's setting; `reduced` holds everything still. */
  readonly motion?: 'system' | 'reduced' | undefined
}

const noSlots: ChatSlots = {}

/**
 * The element that carries the design tokens, and the place from which all components below it take words, policy and slots.
 * `AgentChat` brings its own; needed only around single components.
 *
 * Renders a `div`. Data attributes: `data-as-part="chat-root"`, `data-theme`, `data-density`, `data-motion`. Class: `as-root`.
 */
export const ChatRoot: ForwardRefExoticComponent<ChatRootProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function ChatRoot(
    {
      words: overrides,
      urlPolicy = defaultUrlPolicy,
      slots = noSlots,
      theme = 'system',
      density = 'comfortable',
      motion = 'system',
      ...rest
    },
    ref,
  ) {
    const words = useMemo(() => extendWords(en, overrides), [overrides])
    const value = useMemo(() => ({ words, urlPolicy, slots }), [words, urlPolicy, slots])
    const [field, setField] = useState<{ readonly takeBack: TakeBack } | null>(null)
    const offer = useCallback((takeBack: TakeBack | null) => setField(takeBack && { takeBack }), [])
    const place = useMemo(() => ({ takeBack: field?.takeBack ?? null, offer }), [field, offer])
    return (
      <ChatUi.Provider value={value}>
        <TakeBackContext.Provider value={place}>
          <div
            {...partProps('chat-root', rest, 'as-root')}
            ref={ref}
            data-theme={theme}
            data-density={density}
            data-motion={motion}
          />
        </TakeBackContext.Provider>
      </ChatUi.Provider>
    )
  })
