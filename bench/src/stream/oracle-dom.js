// Floor C: the physical limit for *structured* output. The final DOM is known in
// advance (parsed once, outside the measured section); streaming only creates the
// elements and appends the text at the same pace. No parsing, no diffing.
import { marked } from 'marked'
export default (el, { fullText }) => {
  const box = el.appendChild(document.createElement('div'))
  const tpl = document.createElement('template')
  tpl.innerHTML = marked.parse(fullText)
  const ops = [] // [depth, node]
  let total = 0
  ;(function walk(n, d) {
    for (const c of n.childNodes) {
      ops.push([d, c])
      if (c.nodeType === 3) total += c.data.length
      else walk(c, d + 1)
    }
  })(tpl.content, 0)
  const stack = [box]
  let i = 0,
    text = null,
    src = '',
    pos = 0,
    shown = 0
  const to = (goal) => {
    for (;;) {
      if (text) {
        const take = Math.min(src.length - pos, goal - shown)
        if (take > 0) {
          text.appendData(src.slice(pos, pos + take))
          pos += take
          shown += take
        }
        if (pos < src.length) return
        text = null
      }
      if (i >= ops.length || (shown >= goal && goal < total)) return
      const [d, n] = ops[i++]
      const node = n.nodeType === 3 ? document.createTextNode('') : n.cloneNode(false)
      stack[d].appendChild(node)
      if (n.nodeType === 3) {
        text = node
        src = n.data
        pos = 0
      } else stack[d + 1] = node
    }
  }
  return {
    update: (full) => to(Math.floor((full.length / fullText.length) * total)),
    finish: () => to(total),
    unmount: () => box.remove(),
  }
}
