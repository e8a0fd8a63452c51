'use client'
import { createPart } from '../part/createPart.js'
import type { Part } from '../part/createPart.js'

/** The composer's element: a `div`. Data attributes: `data-as-part="composer"`, `data-mode`, `data-blocked`. */
export const ComposerRoot: Part<'div'> = /* @__PURE__ */ createPart('div', 'composer')

/** The rounded field around text, chips and buttons: a `div`. Data attributes: `data-as-part="composer-field"`. */
export const ComposerField: Part<'div'> = /* @__PURE__ */ createPart('div', 'composer-field')

/** The row of buttons: a `div`. Data attributes: `data-as-part="composer-actions"`. */
export const ComposerActions: Part<'div'> = /* @__PURE__ */ createPart('div', 'composer-actions')

/** Files to be sent: a `ul`. Data attributes: `data-as-part="composer-attachments"`. */
export const ComposerAttachments: Part<'ul'> = /* @__PURE__ */ createPart(
  'ul',
  'composer-attachments',
)

/** The line under the field with what can be done instead: a `div`. Data attributes: `data-as-part="composer-line"`. */
export const ComposerLine: Part<'div'> = /* @__PURE__ */ createPart('div', 'composer-line')

/** The words of the line under the field, when there is something to say: a `p`. Data attributes: `data-as-part="composer-status"`. */
export const ComposerStatus: Part<'p'> = /* @__PURE__ */ createPart('p', 'composer-status', {
  role: 'status',
})
