import { render } from '@testing-library/react'
import { createRef } from 'react'
import type { ElementType, ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { settled } from './inChat.js'

/** How a part is shown in its tests. */
export interface PartCase {
  /** The part. */
  readonly part: ElementType
  /** Its `data-as-part`. */
  readonly name: string
  /** Props it cannot do without. */
  readonly props?: Readonly<Record<string, unknown>>
  /** What it must stand in, such as its root. */
  readonly within?: (children: ReactNode) => ReactElement
}

/**
 * What every part promises: one element with its name, the caller's ref, class, style and other props on it, also on a server.
 */
export function describePart(
  name: string,
  { part: Part, name: attribute, props, within }: PartCase,
): void {
  const inPlace = within ?? ((children: ReactNode) => <>{children}</>)

  describe(`<${name}>`, () => {
    it('puts ref, class, style and other props on its element', async () => {
      const ref = createRef<HTMLElement>()
      render(
        inPlace(
          <Part
            {...props}
            ref={ref}
            className="mine"
            style={{ color: 'red' }}
            title="hello"
            data-mine="1"
          />,
        ),
      )
      await settled()
      const element = ref.current
      expect(element).toHaveAttribute('data-as-part', attribute)
      expect(element).toHaveClass('mine')
      expect(element?.className).toMatch(/\bas-/)
      expect(element).toHaveStyle({ color: 'rgb(255, 0, 0)' })
      expect(element).toHaveAttribute('title', 'hello')
      expect(element).toHaveAttribute('data-mine', '1')
    })

    it('renders on a server without inline styles of its own', () => {
      const html = renderToString(inPlace(<Part {...props} />))
      expect(html).toContain(`data-as-part="${attribute}"`)
      expect(html).not.toMatch(/ style="|<style/)
    })
  })
}
