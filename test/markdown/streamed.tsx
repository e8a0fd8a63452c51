import { createElement } from 'react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { act } from '@testing-library/react'
import { Markdown } from '../../src/markdown/index.js'
import type { MarkdownProps } from '../../src/markdown/index.js'

/** A mounted message that can be fed. */
export interface Streamed {
  readonly container: HTMLElement
  show(text: string, streaming: boolean, growth?: MarkdownProps['growth']): void
  unmount(): void
}

/** Mounts markdown under the id `m`. */
export function mountMarkdown(props: Partial<MarkdownProps> = {}): Streamed {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const element = (shown: MarkdownProps): ReactElement =>
    createElement(Markdown, { id: 'm', ...props, ...shown })
  return {
    container,
    show: (text, streaming, growth) => act(() => root.render(element({ text, streaming, growth }))),
    unmount: () => {
      act(() => root.unmount())
      container.remove()
    },
  }
}
