import { createElement } from 'react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { act } from '@testing-library/react'
import { Markdown } from '../../src/markdown/index.js'
import type { MarkdownProps } from '../../src/markdown/index.js'

/** A mounted message that can be fed. */
export interface Streamed {
  readonly container: HTMLElement
  show(text: string, streaming: boolean): void
  unmount(): void
}

/** Mounts markdown under the id `m`. */
export function mountMarkdown(props: Partial<MarkdownProps> = {}): Streamed {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const element = (text: string, streaming: boolean): ReactElement =>
    createElement(Markdown, { id: 'm', ...props, text, streaming })
  return {
    container,
    show: (text, streaming) => act(() => root.render(element(text, streaming))),
    unmount: () => {
      act(() => root.unmount())
      container.remove()
    },
  }
}

/** The HTML of a text rendered at once. */
export function htmlAtOnce(text: string, props: Partial<MarkdownProps> = {}): string {
  const mounted = mountMarkdown(props)
  mounted.show(text, false)
  const html = mounted.container.innerHTML
  mounted.unmount()
  return html
}

/** The HTML of a text that arrived in chunks and ended. */
export function htmlStreamed(
  chunks: readonly string[],
  props: Partial<MarkdownProps> = {},
): string {
  const mounted = mountMarkdown(props)
  let text = ''
  for (const chunk of chunks) {
    text += chunk
    mounted.show(text, true)
  }
  mounted.show(text, false)
  const html = mounted.container.innerHTML
  mounted.unmount()
  return html
}
