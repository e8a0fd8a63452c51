export { agentscopeDialect } from './agentscope/agentscopeDialect.js'
export { decodeFrames } from './decodeFrames.js'
export type { DialectName } from './decodeFrames.js'
