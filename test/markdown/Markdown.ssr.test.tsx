// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../src/markdown/index.js'
import { gfmCorpus } from './corpus.js'

describe('<Markdown> on the server', () => {
  it('renders every example without a style attribute, a style element or a script', () => {
    for (const text of gfmCorpus) {
      for (const streaming of [false, true]) {
        const html = renderToString(<Markdown text={text} streaming={streaming} />)
        expect(html).toContain('class="as-md"')
        expect(html).not.toMatch(/<(?:style|script)|<[^>]* style=/)
      }
    }
  }, 60_000)
})
