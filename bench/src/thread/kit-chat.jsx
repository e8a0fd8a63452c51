// The whole chat as it comes: it opens with the newest page, older ones follow when the reader goes there.
import { chatThread } from '../kit/chatThread.jsx'
export default chatThread()
