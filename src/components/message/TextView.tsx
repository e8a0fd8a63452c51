'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { getTextGrowth } from '../../hooks/index.js'
import { partProps } from '../part/partProps.js'
import { KitMarkdown } from './KitMarkdown.js'
import type { TextViewProps } from '../chat-root/SlotProps.js'

/**
 * A text block: the agent's as markdown, the person's as it was typed, each paragraph in its own direction.
 *
 * Renders a `div`. Data attributes: `data-as-part="text-view"`, `data-streaming` while more may come.
 */
export const TextView: ForwardRefExoticComponent<TextViewProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function TextView(props, ref) {
    const { block, from = 'assistant', isStreaming = false, ...rest } = props
    return (
      <div
        {...partProps('text-view', rest)}
        ref={ref}
        data-streaming={isStreaming ? '' : undefined}
      >
        {from === 'user' ? (
          <div className="as-typed" dir="auto">
            {block.text}
          </div>
        ) : (
          <KitMarkdown text={block.text} growth={getTextGrowth(block)} isStreaming={isStreaming} />
        )}
      </div>
    )
  })
