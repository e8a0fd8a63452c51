import { Streamdown } from 'streamdown'
import { code } from '@streamdown/code'
import { reactContestant } from './_react.jsx'
const plugins = { code }
export default reactContestant(({ text, done }) => (
  <Streamdown plugins={plugins} isAnimating={!done}>
    {text}
  </Streamdown>
))
