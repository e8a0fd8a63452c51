// Naive: the whole text goes through react-markdown on every frame.
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { reactContestant } from './_react.jsx'
const plugins = [remarkGfm]
export default reactContestant(({ text }) => <Markdown remarkPlugins={plugins}>{text}</Markdown>)
