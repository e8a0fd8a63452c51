export { createAgentServer } from './createAgentServer.js'
export type { AgentServer, AgentServerOptions } from './createAgentServer.js'
export type {
  AgentScript,
  BranchStep,
  BytesScript,
  CallEnd,
  Cue,
  CustomStep,
  EndStep,
  HelperStep,
  HintStep,
  LinkScript,
  ModelStep,
  OutputScript,
  Scene,
  Step,
  StoredSession,
  TextScript,
  ToolCallScript,
  ToolOutcome,
  WaitStep,
  WritingScript,
} from './AgentScript.js'
export { demoAgents } from './demo-agents/demoAgents.js'
export { chunksOf, hint, success, suggestion, text, thinking, toolCall } from './scriptParts.js'
