export type {
  AgentScript,
  BranchStep,
  BytesScript,
  CallEnd,
  Cue,
  CustomStep,
  EndStep,
  FailedAttempt,
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
  WorkerStep,
  WritingScript,
} from './agent/AgentScript.js'
export type { Aside } from './agent/Aside.js'
export { AgentSession } from './agent/AgentSession.js'
export type { Pace } from './agent/Pace.js'
export type { PostedAnswer } from './agent/ScenePlayer.js'
export type { LogEntry } from './agent/SequenceLog.js'
export { asJson } from './agent/asJson.js'
export { createPace } from './agent/createPace.js'
export { scene, worker } from './agent/scene.js'
export type { ScriptPart } from './agent/scene.js'
export {
  bytes,
  chunksOf,
  hint,
  link,
  success,
  suggestion,
  text,
  thinking,
  toolCall,
} from './agent/scriptParts.js'
export type { Scenario, ScenarioDecision, ScenarioOptions, ScenarioRecording } from './Scenario.js'
export { createScenario } from './createScenario.js'
export { createRandom } from './createRandom.js'
export type { Random } from './createRandom.js'
export type { BackendCall, BackendControls, CallFailure } from './BackendControls.js'
export { scriptedBackend } from './scriptedBackend.js'
export type { ScriptedBackend, ScriptedBackendOptions } from './scriptedBackend.js'
