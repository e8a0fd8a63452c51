'use client'
import { forwardRef } from 'react'
import type { ComponentPropsWithoutRef, ForwardRefExoticComponent, RefAttributes } from 'react'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { partProps } from '../part/partProps.js'
import { formatBytes } from './formatBytes.js'

/** Props of `FileCard`. */
export interface FileCardProps extends ComponentPropsWithoutRef<'div'> {
  /** The file's name, or a word for its kind. */
  readonly name: string
  /** Its media type, as it came. */
  readonly mediaType: string
  /** Its size in bytes; null when not known. */
  readonly bytes?: number | null
  /** Where it can be saved from; null when it cannot. */
  readonly href?: string | null
  /** Where a link that leaves the app goes, to be shown. */
  readonly destination?: string
  /** Why it is not shown, or what it is waiting for. */
  readonly note?: string | undefined
}

/**
 * A file: its name, type and size, with a link to save it.
 *
 * Renders a `div`. Data attributes: `data-as-part="file-card"`.
 */
export const FileCard: ForwardRefExoticComponent<FileCardProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function FileCard(props, ref) {
    const { name, mediaType, bytes = null, href = null, destination, note, ...rest } = props
    const { actions, units } = useChatUi().words
    const facts = [
      mediaType,
      bytes === null ? '' : formatBytes(bytes, units.locale),
      destination ?? '',
      note ?? '',
    ].filter((fact) => fact !== '')
    const target =
      destination === undefined
        ? { download: name }
        : { target: '_blank', rel: 'noopener noreferrer nofollow' }
    return (
      <div {...partProps('file-card', rest)} ref={ref}>
        <Icon name="file" />
        <span className="as-file-card-words">
          <bdi className="as-file-card-name">{name}</bdi>
          <span className="as-file-card-facts">{facts.join(' · ')}</span>
        </span>
        {href === null ? null : (
          <a
            className="as-button"
            data-look="icon"
            href={href}
            {...target}
            aria-label={`${actions.download}: ${name}`}
            title={actions.download}
          >
            <Icon name="download" />
          </a>
        )}
      </div>
    )
  })
