'use client'
import type { ReactElement } from 'react'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import type { Attachment } from './Attachment.js'

/** A file that waits to be sent, with a button to take it away. */
export function AttachmentChip(props: {
  readonly attachment: Attachment
  readonly onRemove: () => void
}): ReactElement {
  const { attachment, onRemove } = props
  const { composer } = useChatUi().words
  const { file, previewUrl } = attachment
  return (
    <li className="as-chip" data-as-part="composer-attachment">
      {previewUrl === null ? <Icon name="file" /> : <img src={previewUrl} alt="" />}
      <bdi className="as-chip-name">{file.name}</bdi>
      <Button
        look="icon"
        aria-label={composer.removeAttachment(file.name)}
        title={composer.removeAttachment(file.name)}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </Button>
    </li>
  )
}
