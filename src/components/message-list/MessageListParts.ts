'use client'
import { createPart } from '../part/createPart.js'
import type { Part } from '../part/createPart.js'

/** The list's element: a `div`. Data attributes: `data-as-part="message-list"`. */
export const MessageListRoot: Part<'div'> = /* @__PURE__ */ createPart('div', 'message-list')

/** What scrolls: a `div` with the role `log`. Data attributes: `data-as-part="message-list-scroller"`. */
export const MessageListScroller: Part<'div'> = /* @__PURE__ */ createPart(
  'div',
  'message-list-scroller',
  // A log reads out everything that changes in it; token by token nobody could listen. The announcer speaks instead.
  { role: 'log', 'aria-live': 'off', tabIndex: 0 },
)

/** The column of messages: a `div`. Data attributes: `data-as-part="message-list-column"`. */
export const MessageListColumn: Part<'div'> = /* @__PURE__ */ createPart(
  'div',
  'message-list-column',
)
