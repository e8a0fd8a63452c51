// The AI SDK cookbook way: marked.lexer over the whole text each frame, one
// memoised react-markdown per top-level token, keyed by index.
import { memo, useMemo } from 'react'
import { marked } from 'marked'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { reactContestant } from './_react.jsx'
const plugins = [remarkGfm]
const Block = memo(({ content }) => <Markdown remarkPlugins={plugins}>{content}</Markdown>)
export default reactContestant(({ text }) => {
  const blocks = useMemo(() => marked.lexer(text).map((t) => t.raw), [text])
  return blocks.map((b, i) => <Block key={i} content={b} />)
})
