'use client'
import { forwardRef, useMemo, useState } from 'react'
import type { ForwardRefExoticComponent, ReactElement, RefAttributes } from 'react'
import { mediaKind } from '../../policy/index.js'
import type { MediaKind } from '../../policy/index.js'
import type { Base64Source, DataBlock, UrlSource } from '../../protocol/index.js'
import { Button } from '../button/Button.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { joinClasses } from '../part/joinClasses.js'
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
> = forwardRef(function DataBlockView({ block, isStreaming = false, className, ...rest }, ref) {
  const { source } = block
  const kind = mediaKind(source.media_type)
  const [failed, setFailed] = useState<DataBlock['source']>()
  const [asked, setAsked] = useState<string>()
  const inline = source.type === 'base64' && !isStreaming ? source : null
  const blobUrl = useObjectUrl(inline)
  const { urlPolicy } = useChatUi()
  const verdict =
    source.type === 'url' && kind !== 'file' ? urlPolicy.media(source.url, kind).verdict : null
  const isShown =
    verdict === null || verdict === 'allow' || (verdict === 'ask' && asked === urlOf(source))
  const isUnreadable = blobUrl === false || failed === source
  // An address is whole at once: nothing of it is still to be received, and it waits to be allowed like any other.
  const isReceiving = isStreaming && source.type === 'base64'
  const state = stateOf({ isReceiving, isShown, isUnreadable, isBlocked: verdict === 'block' })
  return (
    <div
      data-as-part="data-block-view"
      {...rest}
      ref={ref}
      className={joinClasses('as-data-block-view', className)}
      data-kind={kind}
      data-state={state}
    >
      {source.type === 'base64' ? (
        <InlineData
          block={block}
          source={source}
          kind={kind}
          state={state}
          url={blobUrl === false ? null : blobUrl}
          onFailed={() => setFailed(source)}
        />
      ) : (
        <RemoteData
          block={block}
          source={source}
          kind={kind}
          state={state}
          onAsk={() => setAsked(source.url)}
          onFailed={() => setFailed(source)}
        />
      )}
    </div>
  )
})

type DataState = 'receiving' | 'shown' | 'asking' | 'blocked' | 'unreadable'

function stateOf(facts: {
  readonly isReceiving: boolean
  readonly isShown: boolean
  readonly isUnreadable: boolean
  readonly isBlocked: boolean
}): DataState {
  if (facts.isReceiving) return 'receiving'
  if (facts.isBlocked) return 'blocked'
  if (facts.isUnreadable) return 'unreadable'
  return facts.isShown ? 'shown' : 'asking'
}

function urlOf(source: DataBlock['source']): string {
  return source.type === 'url' ? source.url : ''
}

interface DataProps {
  readonly block: DataBlock
  readonly kind: MediaKind
  readonly state: DataState
  readonly onFailed: () => void
}

function InlineData(
  props: DataProps & { readonly source: Base64Source; readonly url: string | null },
): ReactElement {
  const { block, source, kind, state, url, onFailed } = props
  const { media } = useChatUi().words
  const size = useMemo(
    () => (kind === 'image' ? readImageSize(source.data) : null),
    [kind, source.data],
  )
  const name = block.name ?? media[kind]
  if (kind === 'file' || state !== 'shown') {
    const notes = { receiving: media.receiving, unreadable: media.unreadable }
    return (
      <FileCard
        name={name}
        mediaType={source.media_type}
        bytes={bytesOfBase64(source.data)}
        href={url}
        note={state === 'receiving' || state === 'unreadable' ? notes[state] : undefined}
      />
    )
  }
  return <MediaElement kind={kind} url={url} name={name} size={size} onFailed={onFailed} />
}

function RemoteData(
  props: DataProps & { readonly source: UrlSource; readonly onAsk: () => void },
): ReactElement {
  const { block, source, kind, state, onAsk, onFailed } = props
  const { words, urlPolicy } = useChatUi()
  const name = block.name ?? words.media[kind]
  if (kind === 'file' || (state !== 'shown' && state !== 'asking')) {
    const link = urlPolicy.link(source.url)
    const isOpenable = link.verdict === 'allow' && state !== 'blocked'
    const notes = { blocked: words.media.blocked, unreadable: words.media.unreadable }
    return (
      <FileCard
        name={name}
        mediaType={source.media_type}
        href={isOpenable ? source.url : null}
        {...(isOpenable ? { destination: link.destination } : {})}
        note={
          state === 'unreadable' ? notes.unreadable : isOpenable ? undefined : words.media.blocked
        }
      />
    )
  }
  if (state === 'asking') {
    const verdict = urlPolicy.media(source.url, kind)
    const host = verdict.verdict === 'ask' ? verdict.host : ''
    return <Button onClick={onAsk}>{words.media.load(name, host)}</Button>
  }
  return <MediaElement kind={kind} url={source.url} name={name} size={null} onFailed={onFailed} />
}
