'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'
import {
  createDisclosureContent,
  createDisclosureRoot,
  createDisclosureTrigger,
} from '../disclosure/createDisclosure.js'
import type {
  DisclosureContent,
  DisclosureRoot,
  DisclosureTrigger,
} from '../disclosure/createDisclosure.js'
import { Icon } from '../icon/Icon.js'
import { KitMarkdown } from '../message/KitMarkdown.js'
import { createPart } from '../part/createPart.js'
import type { Part } from '../part/createPart.js'
import { durationBetween } from '../time/durationBetween.js'
import { newestSentence } from './newestSentence.js'
import type { ThinkingPanelProps } from '../chat-root/SlotProps.js'

/** The panel's element: a `div`. Data attributes: `data-as-part="thinking-panel"`, `data-open`. */
export const ThinkingPanelRoot: DisclosureRoot =
  /* @__PURE__ */ createDisclosureRoot('thinking-panel')

/** The one line: a `button`. Data attributes: `data-as-part="thinking-panel-trigger"`. */
export const ThinkingPanelTrigger: DisclosureTrigger =
  /* @__PURE__ */ createDisclosureTrigger('thinking-panel-trigger')

/** The newest sentence while it runs: a `span`. Data attributes: `data-as-part="thinking-panel-preview"`. */
export const ThinkingPanelPreview: Part<'span'> = /* @__PURE__ */ createPart(
  'span',
  'thinking-panel-preview',
  { dir: 'auto' },
)

/** The whole text: a `div`, absent while folded. Data attributes: `data-as-part="thinking-panel-content"`. */
export const ThinkingPanelContent: DisclosureContent =
  /* @__PURE__ */ createDisclosureContent('thinking-panel-content')

/**
 * The model's reasoning as one line: while it runs, the newest sentence; when done, how long it took. The reader unfolds it,
 * and only the reader changes that, so nothing moves by itself. Reasoning that the provider hid has no content, hence no panel.
 *
 * Parts: `ThinkingPanelRoot`, `ThinkingPanelTrigger`, `ThinkingPanelPreview`, `ThinkingPanelContent`.
 * Data attributes of the root: `data-state` = `running` or `done`, `data-open`.
 */
export const ThinkingPanel: ForwardRefExoticComponent<
  ThinkingPanelProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ThinkingPanel({ block, isStreaming = false, ...rest }, ref) {
  const { thinking, units } = useChatUi().words
  if (block.thinking.trim() === '' && !isStreaming) return null
  const duration = durationBetween(block.created_at, block.finished_at)
  const done = duration === null ? thinking.done : thinking.doneAfter(units.duration(duration))
  return (
    <ThinkingPanelRoot {...rest} ref={ref} data-state={isStreaming ? 'running' : 'done'}>
      <ThinkingPanelTrigger>
        <Icon name="spark" />
        <span className="as-row-name">{isStreaming ? thinking.running : done}</span>
        {isStreaming ? (
          <ThinkingPanelPreview>{newestSentence(block.thinking)}</ThinkingPanelPreview>
        ) : null}
      </ThinkingPanelTrigger>
      <ThinkingPanelContent>
        <KitMarkdown text={block.thinking} isStreaming={isStreaming} />
      </ThinkingPanelContent>
    </ThinkingPanelRoot>
  )
})
