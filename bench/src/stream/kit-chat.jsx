// The whole chat, told by events: backend, store, fold, list, message, markdown.
import { AgentChat } from 'agentscope-react'
import 'agentscope-react/styles.css'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { createBenchBackend } from '../kit/createBenchBackend.js'

let count = 0
export default (el) => {
  const backend = createBenchBackend()
  const box = el.appendChild(document.createElement('div'))
  box.style.height = '780px'
  const root = createRoot(box)
  flushSync(() => root.render(<AgentChat backend={backend} />))
  let reply
  const write = (delta) => {
    reply ??= backend.reply(`reply-${(count += 1)}`)
    reply.write(delta)
  }
  return {
    update: (_, delta) => write(delta),
    finish: (_, delta) => {
      write(delta)
      reply.end()
    },
    unmount: () => {
      root.unmount()
      box.remove()
    },
  }
}
