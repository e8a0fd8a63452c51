'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'
import { partProps } from '../part/partProps.js'
import type { UnknownViewProps } from '../chat-root/SlotProps.js'

/**
 * Stands for a block of a kind that this version does not know.
 *
 * Renders a `p`. Data attributes: `data-as-part="unknown-view"`, `data-type` = the block's own type.
 */
export const UnknownView: ForwardRefExoticComponent<
  UnknownViewProps & RefAttributes<HTMLParagraphElement>
> = forwardRef(function UnknownView({ block, ...rest }, ref) {
  const { conversation } = useChatUi().words
  const { type } = block.block
  return (
    <p
      {...partProps('unknown-view', rest, 'as-quiet')}
      ref={ref}
      data-type={typeof type === 'string' ? type : undefined}
    >
      {conversation.unknownBlock}
    </p>
  )
})
