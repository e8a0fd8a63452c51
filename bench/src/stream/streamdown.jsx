import { Streamdown } from 'streamdown'
import { reactContestant } from './_react.jsx'
export default reactContestant(({ text, done }) => (
  <Streamdown isAnimating={!done}>{text}</Streamdown>
))
