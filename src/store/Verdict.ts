import type { ToolCallRequest } from '../fold/index.js'
import type { ConfirmResult, ToolResultBlock } from '../protocol/index.js'
import type { Decision } from './ChatCommands.js'

/** What is to be sent about one request. */
export type Verdict =
  | {
      readonly kind: 'confirm'
      readonly request: ToolCallRequest
      readonly result: ConfirmResult
      readonly decision: Decision
    }
  | {
      readonly kind: 'external'
      readonly request: ToolCallRequest
      readonly result: ToolResultBlock
      readonly decision?: never
    }
