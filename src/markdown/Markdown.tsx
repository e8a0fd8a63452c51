'use client'

import { useId, useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import type { Components } from 'react-markdown'
import { defaultUrlPolicy } from '../policy/index.js'
import type { UrlPolicy } from '../policy/index.js'
import { CodeBlock } from './CodeBlock.js'
import { createMarkdownDocument } from './createMarkdownDocument.js'
import { MarkdownImage } from './MarkdownImage.js'
import { MarkdownLink } from './MarkdownLink.js'
import { MarkdownTable } from './MarkdownTable.js'
import { englishMarkdownWords } from '../i18n/index.js'
import type { MarkdownWords } from '../i18n/index.js'
import { TaskBox } from './TaskBox.js'
import { WordsContext } from './WordsContext.js'

/** Props of {@link Markdown}. */
export interface MarkdownProps {
  /** All the markdown so far. Appending to it costs what was appended; any other change parses afresh. */
  readonly text: string
  /**
   * How `text` came about, for who knows: it must be `before` with `added` behind it. When `before` is the text rendered last, only `added`
   * is looked at, however long the text is.
   */
  readonly growth?: { readonly before: string; readonly added: string } | undefined
  /**
   * Whether more may follow. While it is `true`, half markup at the end is completed or held back and links there cannot be clicked; once
   * it is `false` the result is plain CommonMark with GFM, the same as if the text had been there at once. Default: `false`.
   */
  readonly streaming?: boolean
  /** Unique in the page; keeps footnotes of different messages apart. Default: an id of React's. */
  readonly id?: string
  /** What links may open and images may load. Default: nothing loads before a click. Give a stable object: a new one parses afresh. */
  readonly urlPolicy?: UrlPolicy
  /**
   * Components by tag name, as in `react-markdown`. They get what the policy let through: a blocked link has no `href`, an image that must
   * ask first has `data-src` and `data-host` in place of `src`.
   */
  readonly components?: Components
  /** The sentences of buttons and labels. Default: English. */
  readonly words?: MarkdownWords
  /** Added to the root's `as-md`. */
  readonly className?: string
}

const ownComponents: Components = {
  a: MarkdownLink,
  img: MarkdownImage,
  input: TaskBox,
  pre: CodeBlock,
  table: MarkdownTable,
}

/**
 * Markdown, also while it is being written: a `div.as-md` with the blocks. GFM without single tildes, emphasis that works beside
 * Chinese, Japanese and Korean, raw HTML shown as text, no math. Each block has its own direction. Images are buttons until the
 * policy or the person allows them; code blocks and tables scroll in boxes of their own. Safe on the server.
 *
 * @example
 * ```tsx
 * <Markdown text={block.text} streaming={isStreaming} id={block.id} />
 * ```
 */
export function Markdown({
  text,
  growth,
  streaming = false,
  id,
  urlPolicy = defaultUrlPolicy,
  components,
  words = englishMarkdownWords,
  className,
}: MarkdownProps): ReactElement {
  const ownId = useId()
  const replaced = useShallow(components)
  const document = useMemo(
    () =>
      createMarkdownDocument({
        policy: urlPolicy,
        components: { ...ownComponents, ...replaced },
        words,
        idPrefix: `${id ?? ownId}-`,
      }),
    [urlPolicy, replaced, words, id, ownId],
  )
  return (
    <WordsContext.Provider value={words}>
      <div className={className === undefined ? 'as-md' : `as-md ${className}`}>
        {document.render(text, streaming, growth)}
      </div>
    </WordsContext.Provider>
  )
}

/** The same object as long as its members are the same, so that a map written in place does not parse afresh each time. */
function useShallow(components: Components | undefined): Components | undefined {
  const [held, setHeld] = useState(components)
  if (held === components || isSame(held, components)) return held
  setHeld(components)
  return components
}

function isSame(a: object = {}, b: object = {}): boolean {
  const entries = Object.entries(a)
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([name, value]) => Reflect.get(b, name) === value)
  )
}
