'use client'
import { createPart } from '../part/createPart.js'
import type { Part } from '../part/createPart.js'

/** The message's element: an `article`. Data attributes: `data-as-part="message"`. */
export const MessageRoot: Part<'article'> = /* @__PURE__ */ createPart('article', 'message')

/** The line under the message, shown on hover and focus: a `footer`. Data attributes: `data-as-part="message-footer"`. */
export const MessageFooter: Part<'footer'> = /* @__PURE__ */ createPart('footer', 'message-footer')

/** The pieces; a bubble for the person's: a `div`. Data attributes: `data-as-part="message-body"`. */
export const MessageBody: Part<'div'> = /* @__PURE__ */ createPart('div', 'message-body')

/** What can be done with the message: a `div`. Data attributes: `data-as-part="message-actions"`. */
export const MessageActions: Part<'div'> = /* @__PURE__ */ createPart('div', 'message-actions')

/** How sending it goes: a `div`. Data attributes: `data-as-part="message-status"`, `data-kind` = `error`, `held`. */
export const MessageStatus: Part<'div'> = /* @__PURE__ */ createPart('div', 'message-status')
