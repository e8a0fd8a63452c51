'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { joinClasses } from '../part/joinClasses.js'
import { KitMarkdown } from './KitMarkdown.js'
import type { TextViewProps } from '../chat-root/SlotProps.js'

/**
 * A text block: the agent's as markdown, the person's as it was typed, each paragraph in its own direction.
 *
 * Renders a `div`. Data attributes: `data-as-part="text-view"`, `data-streaming` while more may come.
 */
export const TextView: ForwardRefExoticComponent<TextViewProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function TextView(props, ref) {
    const { block, from = 'assistant', isStreaming = false, className, ...rest } = props
    return (
      <div
        data-as-part="text-view"
        {...rest}
        ref={ref}
        className={joinClasses('as-text-view', className)}
        data-streaming={isStreaming ? '' : undefined}
      >
        {from === 'user' ? (
          <div className="as-typed" dir="auto">
            {block.text}
          </div>
        ) : (
          <KitMarkdown text={block.text} isStreaming={isStreaming} />
        )}
      </div>
    )
  })
