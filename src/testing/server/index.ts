export type { TaskApiServerOptions } from './task-api/TaskApiServerOptions.js'
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
  FailedAttempt,
  WorkerStep,
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
} from '../index.js'
export { demoAgents } from './demo-agents/demoAgents.js'
export { chunksOf, hint, success, suggestion, text, thinking, toolCall } from '../index.js'
export { createFaultProxy } from './fault-proxy/createFaultProxy.js'
export type {
  FaultProxy,
  FaultProxyOptions,
  ProxiedRequest,
} from './fault-proxy/createFaultProxy.js'
export type { RandomFaults } from './fault-proxy/drawFaults.js'
export type {
  AnswerFault,
  BodyFault,
  BrokenJsonFault,
  CloseFault,
  CutFault,
  DelayFault,
  DropFault,
  DuplicateFault,
  EchoFault,
  EventFault,
  EventPattern,
  Fault,
  FaultBase,
  FaultKind,
  HangFault,
  HoldFault,
  NoHeartbeatsFault,
  Occurrence,
  RequestFault,
  RequestFaultBase,
  RequestPattern,
  ResetFault,
  SlowFault,
  StallFault,
  SwapFault,
  Wait,
} from './fault-proxy/Fault.js'
export type { FaultRecord, FaultyRequest } from './fault-proxy/FaultBook.js'
