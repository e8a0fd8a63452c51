// Floor D: as oracle-dom, and finished blocks get content-visibility: auto.
import oracle from './oracle-dom.js'
export default (el, o) => {
  const box = el.appendChild(document.createElement('div'))
  box.className = 'contained'
  const style = box.appendChild(document.createElement('style'))
  style.textContent =
    '.contained > div > :not(:last-child) { content-visibility: auto; contain-intrinsic-size: auto 100px; }'
  const inner = oracle(box, o)
  return { ...inner, unmount: () => box.remove() }
}
