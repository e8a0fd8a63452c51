import { AgentChat } from 'agentscope-react'
import 'agentscope-react/styles.css'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { createBenchBackend, stored } from './createBenchBackend.js'

/** A contestant for threads: the chat over a backend that has the messages stored. */
export const chatThread = (options) => (el, messages) => {
  const backend = createBenchBackend(stored(messages))
  const box = el.appendChild(document.createElement('div'))
  box.style.height = '780px'
  const root = createRoot(box)
  flushSync(() => root.render(<AgentChat backend={backend} options={options} />))
  let reply
  let length = 0
  return {
    tail(text) {
      reply ??= backend.reply('tail')
      reply.write(text.slice(length))
      length = text.length
    },
    reply: (id) => backend.reply(id),
    unmount() {
      root.unmount()
      box.remove()
    },
  }
}
