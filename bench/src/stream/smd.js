// streaming-markdown: a true character-level incremental parser that writes DOM.
import * as smd from 'streaming-markdown'
export default (el) => {
  const box = el.appendChild(document.createElement('div'))
  const p = smd.parser(smd.default_renderer(box))
  return {
    update: (_, delta) => smd.parser_write(p, delta),
    finish: (_, delta) => {
      smd.parser_write(p, delta)
      smd.parser_end(p)
    },
    unmount: () => box.remove(),
  }
}
