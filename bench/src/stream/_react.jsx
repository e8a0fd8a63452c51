// Adapter shared by every React contestant: one root, one text state, one
// setState per frame (the driver calls `set` at most once per animation frame).
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'

export function reactContestant(Message) {
  return (el) => {
    const root = createRoot(el)
    let set
    function App() {
      const [s, setS] = useState({ text: '', done: false })
      set = setS
      return <Message text={s.text} done={s.done} />
    }
    flushSync(() => root.render(<App />))
    return {
      update: (text) => set({ text, done: false }),
      finish: (text) => set({ text, done: true }),
      unmount: () => root.unmount(),
    }
  }
}
