// Naive list: every message re-renders and re-parses on every delta.
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { reactThread } from './_react.jsx'
const plugins = [remarkGfm]
export default reactThread(({ msgs }) =>
  msgs.map((m) => (
    <div key={m.id} className={m.role}>
      <Markdown remarkPlugins={plugins}>{m.text}</Markdown>
    </div>
  )),
)
