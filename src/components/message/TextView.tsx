'use client'
import { forwardRef } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import type { Role, TextBlock } from '../../protocol/index.js'
import { joinClasses } from '../part/joinClasses.js'
import { KitMarkdown } from './KitMarkdown.js'

/** Props of `TextView`. */
export interface TextViewProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'role'> {
  /** The text. */
  readonly block: TextBlock
  /** Who wrote it; the agent by default. */
  readonly from?: Role | undefined
  /** Whether more may come; `false` by default. */
  readonly isStreaming?: boolean | undefined
}

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
