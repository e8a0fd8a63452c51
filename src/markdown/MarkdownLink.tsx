'use client'

import { useContext } from 'react'
import type { ComponentPropsWithoutRef, ReactElement } from 'react'
import type { ExtraProps } from 'react-markdown'
import { WordsContext } from './WordsContext.js'

/** What the URL policy left of a link. */
export interface MarkdownLinkProps extends ComponentPropsWithoutRef<'a'>, ExtraProps {
  /** Where an external link goes. */
  readonly 'data-destination'?: string
  /** Present when the text makes one expect another place. */
  readonly 'data-misleading'?: string
}

/**
 * A link in markdown. It tells where it goes on hover and focus, and always when its text looks like another address. A link which
 * the policy blocked is plain text (`span.as-md-blocked`). An image in a link is shown before it, since its button cannot stand inside.
 */
export function MarkdownLink({
  node,
  children,
  'data-misleading': misleading,
  ...props
}: MarkdownLinkProps): ReactElement {
  const words = useContext(WordsContext)
  const { href, 'data-destination': destination } = props
  if (href === undefined) return <span className="as-md-blocked">{children}</span>

  const title = destination === undefined ? undefined : words.opensHost(destination)
  const className = props.className === undefined ? 'as-md-link' : `as-md-link ${props.className}`
  if (hasImage(node)) {
    return (
      <span className="as-md-linked-image">
        {children}{' '}
        <a {...props} className={className} title={title}>
          {title ?? href}
        </a>
      </span>
    )
  }
  return (
    <a {...props} className={className} title={title}>
      {children}
      {misleading === undefined ? null : (
        <span className="as-md-destination" dir="ltr">
          {' '}
          ({destination})
        </span>
      )}
    </a>
  )
}

function hasImage(node: ExtraProps['node']): boolean {
  return (
    node?.children.some(
      (child) => child.type === 'element' && (child.tagName === 'img' || hasImage(child)),
    ) ?? false
  )
}
