// Floor B: plain text, but a new <p> at every blank line; only the tail text
// node grows. Layout cost stays local to the last block.
export default (el) => {
  const box = el.appendChild(document.createElement('div'))
  let t = null
  const line = () =>
    (t = box.appendChild(document.createElement('p')).appendChild(document.createTextNode('')))
  line()
  const put = (_, delta) => {
    const parts = delta.split('\n\n')
    if (parts[0]) t.appendData(parts[0])
    for (let i = 1; i < parts.length; i++) {
      line()
      if (parts[i]) t.appendData(parts[i])
    }
  }
  return { update: put, finish: put, unmount: () => box.remove() }
}
