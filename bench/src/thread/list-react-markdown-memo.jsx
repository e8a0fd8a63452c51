// One memo per message: only the tail re-parses, but the list still reconciles n items.
import { memo } from 'react'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { reactThread } from './_react.jsx'
const plugins = [remarkGfm]
const Msg = memo(({ m }) => (
  <div className={m.role}>
    <Markdown remarkPlugins={plugins}>{m.text}</Markdown>
  </div>
))
export default reactThread(({ msgs }) => msgs.map((m) => <Msg key={m.id} m={m} />))
