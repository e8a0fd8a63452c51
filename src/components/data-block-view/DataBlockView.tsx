'use client'
import { forwardRef, useMemo, useState } from 'react'
import type { ForwardRefExoticComponent, ReactElement, RefAttributes } from 'react'
import { mediaKind } from '../../policy/index.js'
import type { MediaKind } from '../../policy/index.js'
import type { DataBlock } from '../../protocol/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { partProps } from '../part/partProps.js'
import { FileCard } from './FileCard.js'
import { bytesOfBase64 } from './formatBytes.js'
import { MediaElement } from './MediaElement.js'
import { readImageSize } from './readImageSize.js'
import { useObjectUrl } from './useObjectUrl.js'
import type { DataBlockViewProps } from '../chat-root/SlotProps.js'

/**
 * An image, a sound, a film, or a file to save. Only formats that cannot run anything are shown; SVG, HTML and all others are files.
 * Bytes that came inline show at once. Whatever is elsewhere loads only when the URL policy allows it or the reader asks.
 *
 * Renders a `div`. Data attributes: `data-as-part="data-block-view"`, `data-kind` = `image`, `audio`, `video` or `file`,
 * `data-state` = `receiving`, `shown`, `asking`, `blocked` or `unreadable`.
 */
export const DataBlockView: ForwardRefExoticComponent<
  DataBlockViewProps & RefAttributes<HTMLDivElement>
> = forwardRef(function DataBlockView({ block, isStreaming = false, ...rest }, ref) {
  const { source } = block
  const kind = mediaKind(source.media_type)
  const [failed, setFailed] = useState<DataBlock['source']>()
  const [asked, setAsked] = useState<string | null>(null)
  const inline = source.type === 'base64' && !isStreaming ? source : null
  const blobUrl = useObjectUrl(inline)
  const { urlPolicy } = useChatUi()
  const address = source.type === 'url' ? source.url : null
  const verdict = address !== null && kind !== 'file' ? urlPolicy.media(address, kind) : null
  const isShown = verdict === null || verdict.verdict === 'allow' || asked === address
  const isUnreadable = blobUrl === false || failed === source
  // An address is whole at once: nothing of it is still to be received, and it waits to be allowed like any other.
  const isReceiving = isStreaming && address === null
  const state: DataState = isReceiving
    ? 'receiving'
    : verdict?.verdict === 'block'
      ? 'blocked'
      : isUnreadable
        ? 'unreadable'
        : isShown
          ? 'shown'
          : 'asking'
  return (
    <div {...partProps('data-block-view', rest)} ref={ref} data-kind={kind} data-state={state}>
      <Data
        {...{ block, kind, state }}
        url={address ?? (blobUrl || null)}
        host={verdict?.verdict === 'ask' ? verdict.host : ''}
        onAsk={() => setAsked(address)}
        onFailed={() => setFailed(source)}
      />
    </div>
  )
})

type DataState = 'receiving' | 'shown' | 'asking' | 'blocked' | 'unreadable'

interface DataProps {
  readonly block: DataBlock
  readonly kind: MediaKind
  readonly state: DataState
  /** Where the bytes are; null while that is not known. */
  readonly url: string | null
  /** Where they would be loaded from. */
  readonly host: string
  readonly onAsk: () => void
  readonly onFailed: () => void
}

function Data(props: DataProps): ReactElement {
  const { block, kind, state, url, host, onAsk, onFailed } = props
  const { source } = block
  const { words, urlPolicy } = useChatUi()
  const { media } = words
  const inline = source.type === 'base64' ? source.data : null
  const size = useMemo(
    () => (kind === 'image' && inline !== null ? readImageSize(inline) : null),
    [kind, inline],
  )
  const name = block.name ?? media[kind]
  if (state === 'asking') return <Button onClick={onAsk}>{media.load(name, host)}</Button>
  if (kind !== 'file' && state === 'shown') {
    return <MediaElement {...{ kind, url, name, size, onFailed }} />
  }
  const link = inline === null && state !== 'blocked' ? urlPolicy.link(url ?? '') : null
  const isOpenable = link === null ? inline !== null : link.verdict === 'allow'
  const note = isOpenable ? undefined : media.blocked
  return (
    <FileCard
      name={name}
      mediaType={source.media_type}
      bytes={inline === null ? null : bytesOfBase64(inline)}
      href={isOpenable ? url : null}
      {...(link?.verdict === 'allow' ? { destination: link.destination } : {})}
      note={state === 'receiving' || state === 'unreadable' ? media[state] : note}
    />
  )
}
