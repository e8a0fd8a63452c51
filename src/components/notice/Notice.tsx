'use client'
import { forwardRef } from 'react'
import type {
  ComponentPropsWithoutRef,
  ForwardRefExoticComponent,
  ReactNode,
  RefAttributes,
} from 'react'
import { Details } from '../details/Details.js'
import { Icon } from '../icon/Icon.js'
import type { IconName } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'

/** Props of `Notice`. */
export interface NoticeProps extends ComponentPropsWithoutRef<'div'> {
  /** `error` needs attention; `end` says how something ended; `info` by default. */
  readonly kind?: 'error' | 'end' | 'info' | undefined
  /** Technical details, folded: shown as plain text, never as markup. */
  readonly details?: string | undefined
  /** What can be done: at most one or two buttons. */
  readonly action?: ReactNode
}

const icons = { error: 'warning', end: 'stop', info: 'clock' } satisfies Record<string, IconName>

/**
 * One sentence in place of something that did not come, with an action and folded details.
 *
 * Renders a `div`. Data attributes: `data-as-part="notice"`, `data-kind`.
 */
export const Notice: ForwardRefExoticComponent<NoticeProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function Notice(props, ref) {
    const { kind = 'info', details, action, children, ...rest } = props
    return (
      <div {...partProps('notice', rest)} ref={ref} data-kind={kind}>
        <Icon name={icons[kind]} />
        <div className="as-notice-body">
          <span>{children}</span>
          {action}
          <Details>{details}</Details>
        </div>
      </div>
    )
  })
