export { agentsQuery } from './agentsQuery.js'
export type { AgentsKey, AgentsQuery } from './agentsQuery.js'
export {
  createSessionMutation,
  deleteSessionMutation,
  renameSessionMutation,
} from './sessionMutations.js'
export type { NewSession, SessionName, SessionsTarget } from './sessionMutations.js'
export { sessionsQuery } from './sessionsQuery.js'
export type { SessionsKey, SessionsQuery } from './sessionsQuery.js'
