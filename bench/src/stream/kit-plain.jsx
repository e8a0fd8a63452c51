// The kit's markdown without its styles.
import { Markdown } from 'agentscope-react'
import { reactContestant } from './_react.jsx'
export default reactContestant(({ text, done }) => <Markdown text={text} streaming={!done} />)
