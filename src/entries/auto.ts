export { decodeFrames } from '../dialects/index.js'
export type { DialectName } from '../dialects/index.js'
