import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'

export function reactThread(Thread) {
  return (el, initial) => {
    const root = createRoot(el)
    let set
    function App() {
      const [msgs, setMsgs] = useState(initial)
      set = setMsgs
      return <Thread msgs={msgs} />
    }
    flushSync(() => root.render(<App />))
    const id = 'tail'
    return {
      tail: (text) => set([...initial, { id, role: 'assistant', text, streaming: true }]),
      unmount: () => root.unmount(),
    }
  }
}
