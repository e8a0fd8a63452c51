import { render, screen } from '@testing-library/react'
import type { RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import '../../src/styles/index.css'

/** Renders into a box of a screen's size. */
export function inScreen(children: ReactNode, width = 390, height = 600): RenderResult {
  const box = document.createElement('div')
  box.style.inlineSize = `${String(width)}px`
  box.style.blockSize = `${String(height)}px`
  document.body.append(box)
  document.body.style.margin = '0'
  const result = render(children, { container: box })
  return {
    ...result,
    unmount: () => {
      result.unmount()
      box.remove()
    },
  }
}

/** Waits until the browser has drawn so many frames more. */
export async function frames(count = 2): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

/** The element of a part; fails when there is none. */
export function part(name: string, index = 0): HTMLElement {
  const found = document.querySelectorAll<HTMLElement>(`[data-as-part="${name}"]`)[index]
  if (found === undefined) throw new Error(`No part ${name} at ${String(index)}.`)
  return found
}

/** Waits for words that can be seen, which those for assistive technology cannot. */
export function seen(words: string | RegExp): Promise<HTMLElement> {
  return screen.findByText(words, { ignore: '.as-sr-only *' })
}
