'use client'
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
import { createPart } from '../part/createPart.js'
import type { Part } from '../part/createPart.js'

/** The card's element: a `div`. Data attributes: `data-as-part="tool-call-card"`, `data-open`. */
export const ToolCallCardRoot: DisclosureRoot =
  /* @__PURE__ */ createDisclosureRoot('tool-call-card')

/** The row: a `button` that unfolds the card. Data attributes: `data-as-part="tool-call-card-trigger"`. */
export const ToolCallCardTrigger: DisclosureTrigger =
  /* @__PURE__ */ createDisclosureTrigger('tool-call-card-trigger')

/** What is done, in words: a `span`. Data attributes: `data-as-part="tool-call-card-title"`. */
export const ToolCallCardTitle: Part<'span'> = /* @__PURE__ */ createPart(
  'span',
  'tool-call-card-title',
)

/** The first line of a failure: a `p`. Data attributes: `data-as-part="tool-call-card-excerpt"`. */
export const ToolCallCardExcerpt: Part<'p'> = /* @__PURE__ */ createPart(
  'p',
  'tool-call-card-excerpt',
  { dir: 'auto' },
)

/** Images, sounds and files of the result: a `div`. Data attributes: `data-as-part="tool-call-card-media"`. */
export const ToolCallCardMedia: Part<'div'> = /* @__PURE__ */ createPart(
  'div',
  'tool-call-card-media',
)

/** What unfolds: a `div`, absent while folded. Data attributes: `data-as-part="tool-call-card-content"`. */
export const ToolCallCardContent: DisclosureContent =
  /* @__PURE__ */ createDisclosureContent('tool-call-card-content')

/** Arguments, or the result: a `div`. Data attributes: `data-as-part="tool-call-card-section"`. */
export const ToolCallCardSection: Part<'div'> = /* @__PURE__ */ createPart(
  'div',
  'tool-call-card-section',
)
