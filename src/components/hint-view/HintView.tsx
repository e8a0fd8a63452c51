'use client'
import { forwardRef } from 'react'
import type { ForwardRefExoticComponent, RefAttributes } from 'react'
import { ownEntry, parseHintSource, stripReminder } from '../../hooks/index.js'
import type { DataBlock, HintBlock } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { DataBlockView } from '../data-block-view/DataBlockView.js'
import {
  createDisclosureContent,
  createDisclosureRoot,
  createDisclosureTrigger,
} from '../disclosure/createDisclosure.js'
import type {
  DisclosureContent,
  DisclosureRoot,
  DisclosureTrigger,
} from '../disclosure/createDisclosure.js'
import { Icon } from '../icon/Icon.js'
import { KitMarkdown } from '../message/KitMarkdown.js'
import type { HintViewProps } from '../chat-root/SlotProps.js'

/** The hint's element: a `div`. Data attributes: `data-as-part="hint-view"`, `data-open`. */
export const HintViewRoot: DisclosureRoot = /* @__PURE__ */ createDisclosureRoot('hint-view')

/** The one line: a `button`. Data attributes: `data-as-part="hint-view-trigger"`. */
export const HintViewTrigger: DisclosureTrigger =
  /* @__PURE__ */ createDisclosureTrigger('hint-view-trigger')

/** The hint itself: a `div`, absent while folded. Data attributes: `data-as-part="hint-view-content"`. */
export const HintViewContent: DisclosureContent =
  /* @__PURE__ */ createDisclosureContent('hint-view-content')

/**
 * Something the agent was told besides the user's words: one line that names the sender, unfolded by the reader. The wrapper of
 * a system reminder is never shown.
 *
 * Parts: `HintViewRoot`, `HintViewTrigger`, `HintViewContent`. Data attributes of the root: `data-reminder` on a reminder, `data-open`.
 */
export const HintView: ForwardRefExoticComponent<HintViewProps & RefAttributes<HTMLDivElement>> =
  forwardRef(function HintView({ block, ...rest }, ref) {
    const { hint: words } = useChatUi().words
    const pieces = readPieces(block)
    const isReminder = pieces.some((piece) => piece.type === 'text' && piece.isReminder)
    const source = parseHintSource(block.source)
    const fallback = isReminder ? words.reminder : words.label
    const label =
      source === null ? fallback : (ownEntry(words.senders, source.label) ?? source.label)
    // Who says nothing more about themselves is told by what they say.
    const [first] = pieces
    const firstLine =
      isReminder || first?.type !== 'text' ? '' : (first.text.trim().split('\n', 1)[0] ?? '')
    const sublabel = source?.sublabel ?? firstLine
    return (
      <HintViewRoot {...rest} ref={ref} data-reminder={isReminder ? '' : undefined}>
        <HintViewTrigger>
          <Icon name="bell" />
          <span className="as-row-name">
            <bdi>{label}</bdi>
            {sublabel === '' ? null : (
              <span className="as-row-detail">
                {' · '}
                <bdi>{sublabel}</bdi>
              </span>
            )}
          </span>
        </HintViewTrigger>
        <HintViewContent>
          {pieces.map((piece, index) =>
            // Pieces of a hint come whole and never move.
            piece.type === 'text' ? (
              <KitMarkdown key={`${String(index)} text`} text={piece.text} isStreaming={false} />
            ) : (
              <DataBlockView key={`${String(index)} data`} block={piece} />
            ),
          )}
        </HintViewContent>
      </HintViewRoot>
    )
  })

type HintPiece = DataBlock | ReturnType<typeof readText>

function readPieces({ hint }: HintBlock): readonly HintPiece[] {
  if (typeof hint === 'string') return [readText(hint)]
  return hint.map((piece) => (piece.type === 'text' ? readText(piece.text) : piece))
}

function readText(raw: string): { type: 'text'; text: string; isReminder: boolean } {
  return { type: 'text', ...stripReminder(raw) }
}
