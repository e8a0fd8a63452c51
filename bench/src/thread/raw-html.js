// Floor: marked once per message, one innerHTML each, no framework.
import { marked } from 'marked'
export const make = (contained) => (el, msgs) => {
  const frag = document.createDocumentFragment()
  const add = (parent, text) => {
    const d = document.createElement('div')
    if (contained) d.style.cssText = 'content-visibility:auto;contain-intrinsic-size:auto 200px'
    d.innerHTML = marked.parse(text)
    return parent.appendChild(d)
  }
  for (const m of msgs) add(frag, m.text)
  el.appendChild(frag)
  let tail
  return {
    tail(text) {
      tail ??= add(el, '')
      tail.innerHTML = marked.parse(text)
    },
    unmount: () => el.replaceChildren(),
  }
}
export default make(false)
