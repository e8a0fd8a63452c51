// The kit's markdown alone, as its text blocks render it.
import { ChatRoot, Markdown } from 'agentscope-react'
import 'agentscope-react/styles.css'
import { reactContestant } from './_react.jsx'
export default reactContestant(({ text, done }) => (
  <ChatRoot>
    <Markdown text={text} streaming={!done} />
  </ChatRoot>
))
