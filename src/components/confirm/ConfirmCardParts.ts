'use client'
import { createPart } from '../part/createPart.js'
import type { Part } from '../part/createPart.js'

/** The card's element: a `div` with the role `group`. Data attributes: `data-as-part="confirm-card"`, `data-state`. */
export const ConfirmCardRoot: Part<'div'> = /* @__PURE__ */ createPart('div', 'confirm-card', {
  role: 'group',
})

/** The question: an `h3` that can be focused by the kit. Data attributes: `data-as-part="confirm-card-title"`. */
export const ConfirmCardTitle: Part<'h3'> = /* @__PURE__ */ createPart('h3', 'confirm-card-title', {
  tabIndex: -1,
})

/** The exact call: a `div`. Data attributes: `data-as-part="confirm-card-call"`. */
export const ConfirmCardCall: Part<'div'> = /* @__PURE__ */ createPart('div', 'confirm-card-call')

/** The choices: a `div`. Data attributes: `data-as-part="confirm-card-actions"`. */
export const ConfirmCardActions: Part<'div'> = /* @__PURE__ */ createPart(
  'div',
  'confirm-card-actions',
)

/** How sending the decision goes: a `div`. Data attributes: `data-as-part="confirm-card-status"`. */
export const ConfirmCardStatus: Part<'div'> = /* @__PURE__ */ createPart(
  'div',
  'confirm-card-status',
)
