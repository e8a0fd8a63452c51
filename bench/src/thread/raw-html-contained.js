// Same, plus content-visibility: auto on each message: off-screen messages cost no layout or paint.
import { make } from './raw-html.js'
export default make(true)
