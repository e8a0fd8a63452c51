import { Streamdown } from 'streamdown'
import { reactThread } from './_react.jsx'
export default reactThread(({ msgs }) =>
  msgs.map((m) => (
    <div key={m.id} className={m.role}>
      <Streamdown isAnimating={!!m.streaming}>{m.text}</Streamdown>
    </div>
  )),
)
