// Floor A: one DOM text node, appendData. No markdown. One inline formatting
// context, so the engine lays the whole text out again every frame.
export default (el) => {
  const pre = el.appendChild(document.createElement('pre'))
  const t = pre.appendChild(document.createTextNode(''))
  return {
    update: (_, delta) => t.appendData(delta),
    finish: (_, delta) => t.appendData(delta),
    unmount: () => pre.remove(),
  }
}
