// The whole chat with all messages in one page.
import { chatThread } from '../kit/chatThread.jsx'
export default chatThread({ pageSize: 1e6 })
