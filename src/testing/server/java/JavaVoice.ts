import type {
  AgentEvent,
  JsonObject,
  JsonValue,
  Msg,
  ToolCallBlock,
  Usage,
} from '../../../protocol/index.js'
import { createId, isJsonObject } from '../../../protocol/index.js'
import {
  AWAITING,
  javaCall,
  javaData,
  javaHint,
  javaMessages,
  javaUsage,
  suspendedResult,
} from './javaMessages.js'

/** What a run waits for when it parks. */
export interface Waiting {
  /** What is wanted. */
  readonly kind: 'approval' | 'execution'
  /** The calls. */
  readonly calls: readonly ToolCallBlock[]
}

/** One event of Java, without what all have. */
interface JavaEvent {
  readonly type: string
  readonly [field: string]: JsonValue
}

/**
 * Says one run of an agent as AgentScope Java 2.0.0 does: an id per call of the model and per batch of tools, one id for all texts,
 * fragments without a name, no word of what was denied or what the client's own tools gave, an end that may only mean that it waits.
 */
export class JavaVoice {
  readonly #runId = createId()
  #segmentId = createId()
  /** The calls of this run, by id: how many chunks they have. */
  readonly #calls = new Map<string, { readonly name: string; chunks: number }>()
  #writing: string | undefined
  /** Results of the batch that runs, in the order in which they began. Java tells them when all are there. */
  readonly #results = new Map<string, { readonly said: JavaEvent[]; isEnded: boolean }>()
  /** Calls of whose results nothing is told. */
  readonly #silent = new Set<string>()
  #reason: string | undefined
  #isCut = false
  #end: Extract<AgentEvent, { type: 'REPLY_END' }> | undefined

  /** It was interrupted: what is open stays so. */
  cut(): void {
    this.#isCut = true
  }

  /**
   * Says what happened.
   *
   * @param event - An event of the session.
   * @returns The frames, each as JSON with its doubled `type`.
   */
  say(event: AgentEvent): readonly string[] {
    if (this.#isCut && event.type !== 'REPLY_END') return []
    return this.#translate(event).map((said) => frameOf(said, event.created_at))
  }

  /**
   * Says how the run ended, once it is stored.
   *
   * @param reply - The reply as it is stored; undefined when there is none.
   * @param waiting - What it waits for, if it does.
   * @returns The last frames; undefined when it failed, of which Java says nothing: the connection breaks.
   */
  finish(reply: Msg | undefined, waiting: Waiting | undefined): readonly string[] | undefined {
    if (this.#end?.finished_reason === 'error') return undefined
    const said: JavaEvent[] = []
    if (waiting?.kind === 'approval') {
      const toolCalls = waiting.calls.map((call) => javaCall(call, 'pending'))
      said.push({ type: 'REQUIRE_USER_CONFIRM', replyId: createId(), toolCalls })
      this.#reason = 'PERMISSION_ASKING'
      const reason = 'permission asking'
      said.push({ type: 'REQUEST_STOP', reason, generateReason: this.#reason })
    } else if (waiting !== undefined) this.#reason = 'TOOL_SUSPENDED'
    const result = reply === undefined ? undefined : this.#resultOf(reply, waiting)
    if (result !== undefined) said.push({ type: 'AGENT_RESULT', result })
    said.push({ type: 'AGENT_END', replyId: this.#runId })
    return said.map((each) => frameOf(each))
  }

  #translate(event: AgentEvent): readonly JavaEvent[] {
    const replyId = this.#segmentId
    switch (event.type) {
      case 'CUSTOM':
        // A session's own notices, and those of workers, are the service's.
        if (/^(subagent|team|state|session)_/.test(event.name)) return []
        return [{ type: 'CUSTOM', name: event.name, value: event.value ?? {} }]
      case 'REPLY_START': {
        const { name = '', role = 'assistant' } = event
        return [{ type: 'AGENT_START', replyId: this.#runId, name, role }]
      }
      case 'MODEL_CALL_START':
        this.#segmentId = createId()
        return [{ type: 'MODEL_CALL_START', replyId: this.#segmentId }]
      case 'MODEL_CALL_END': {
        const usage = javaUsage(usageOf(event)) ?? {}
        this.#segmentId = createId()
        return [...this.#endWriting(replyId), { type: 'MODEL_CALL_END', replyId, usage }]
      }
      case 'TEXT_BLOCK_START':
      case 'TEXT_BLOCK_END':
        return [{ type: event.type, replyId, blockId: 'text' }]
      case 'THINKING_BLOCK_START':
      case 'THINKING_BLOCK_END':
        return [{ type: event.type, replyId, blockId: 'thinking' }]
      case 'TEXT_BLOCK_DELTA':
        return [{ type: event.type, replyId, blockId: 'text', delta: event.delta }]
      case 'THINKING_BLOCK_DELTA':
        return [{ type: event.type, replyId, blockId: 'thinking', delta: event.delta }]
      case 'HINT_BLOCK': {
        const { block_id: blockId, source } = event
        const sender: JsonObject = source ? { hintSource: source } : {}
        const hint = javaHint(event.hint)
        return [{ type: 'HINT_BLOCK', replyId: createId(), blockId, ...sender, hint }]
      }
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_DELTA':
      case 'TOOL_CALL_END':
        return this.#tellCall(event, replyId)
      case 'TOOL_RESULT_START':
      case 'TOOL_RESULT_TEXT_DELTA':
      case 'TOOL_RESULT_DATA_DELTA':
      case 'TOOL_RESULT_END':
        return this.#silent.has(event.tool_call_id) ? [] : this.#tellResult(event, replyId)
      case 'REQUIRE_EXTERNAL_EXECUTION':
        return event.tool_calls.flatMap(({ id, name }) => {
          const call = { replyId, toolCallId: id, toolCallName: name }
          return [
            ...this.#keep(id, { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: AWAITING }),
            ...this.#keep(id, { type: 'TOOL_RESULT_END', ...call, state: 'running' }),
          ]
        })
      case 'USER_CONFIRM_RESULT':
        for (const { confirmed, tool_call: call } of event.confirm_results) {
          if (!confirmed) this.#silent.add(call.id)
        }
        return []
      case 'EXTERNAL_EXECUTION_RESULT':
        for (const { id } of event.execution_results) this.#silent.add(id)
        return []
      case 'EXCEED_MAX_ITERS':
        this.#reason = 'MAX_ITERATIONS'
        return [{ type: event.type, replyId: '', maxIters: 20, currentIter: 20 }]
      case 'REPLY_END':
        this.#end = event
        return []
      // Java never streams data of the model, and asks only in the end.
      default:
        return []
    }
  }

  /** A call that begins ends the others, whose arguments may still go on. */
  #tellCall(
    event: Extract<AgentEvent, { type: 'TOOL_CALL_START' | 'TOOL_CALL_DELTA' | 'TOOL_CALL_END' }>,
    replyId: string,
  ): readonly JavaEvent[] {
    const { tool_call_id: toolCallId } = event
    if (event.type === 'TOOL_CALL_START') {
      const toolCallName = event.tool_call_name
      const ended = this.#endWriting(replyId)
      this.#calls.set(toolCallId, { name: toolCallName, chunks: 0 })
      this.#writing = toolCallId
      return [...ended, { type: event.type, replyId, toolCallId, toolCallName }]
    }
    if (event.type === 'TOOL_CALL_END') {
      return this.#writing === toolCallId ? this.#endWriting(replyId) : []
    }
    const call = this.#calls.get(toolCallId) ?? { name: '', chunks: 0 }
    const toolCallName = call.chunks === 0 ? call.name : '__fragment__'
    call.chunks += 1
    return [{ type: event.type, replyId, toolCallId, toolCallName, delta: event.delta }]
  }

  #endWriting(replyId: string): readonly JavaEvent[] {
    const toolCallId = this.#writing
    this.#writing = undefined
    if (toolCallId === undefined) return []
    const toolCallName = this.#calls.get(toolCallId)?.name ?? ''
    return [{ type: 'TOOL_CALL_END', replyId, toolCallId, toolCallName }]
  }

  #tellResult(
    event: Extract<
      AgentEvent,
      {
        type:
          | 'TOOL_RESULT_START'
          | 'TOOL_RESULT_TEXT_DELTA'
          | 'TOOL_RESULT_DATA_DELTA'
          | 'TOOL_RESULT_END'
      }
    >,
    replyId: string,
  ): readonly JavaEvent[] {
    const { type, tool_call_id: toolCallId } = event
    if (type === 'TOOL_RESULT_START') {
      this.#calls.set(toolCallId, { name: event.tool_call_name, chunks: 1 })
    }
    const toolCallName = this.#calls.get(toolCallId)?.name ?? ''
    const call = { type, replyId, toolCallId, toolCallName }
    switch (type) {
      case 'TOOL_RESULT_START':
        this.#results.set(toolCallId, { said: [], isEnded: false })
        return [call]
      case 'TOOL_RESULT_TEXT_DELTA':
        return this.#keep(toolCallId, { ...call, delta: event.delta })
      case 'TOOL_RESULT_DATA_DELTA':
        return this.#keep(toolCallId, { ...call, data: dataOf(event) })
      case 'TOOL_RESULT_END':
        return this.#keep(toolCallId, { ...call, state: event.state })
    }
  }

  /** Keeps what a tool gave until the whole batch is done. */
  #keep(toolCallId: string, event: JavaEvent): readonly JavaEvent[] {
    const result = this.#results.get(toolCallId)
    if (result === undefined) return [event]
    result.said.push(event)
    if (event.type === 'TOOL_RESULT_END') result.isEnded = true
    const batch = [...this.#results.values()]
    if (!batch.every(({ isEnded }) => isEnded)) return []
    this.#results.clear()
    return batch.flatMap(({ said }) => said)
  }

  /** The last message of the model; of a run that handed calls out, the calls and their placeholders. */
  #resultOf(reply: Msg, waiting: Waiting | undefined): JsonObject | undefined {
    const last = javaMessages(reply).findLast(({ role }) => role === 'ASSISTANT')
    if (last === undefined) return undefined
    const reason: JsonObject = this.#reason ? { agentscope_generate_reason: this.#reason } : {}
    const { metadata } = last
    const known = isJsonObject(metadata) ? metadata : {}
    const result = { ...last, metadata: { ...known, ...reason } }
    if (waiting?.kind !== 'execution') return result
    const { calls } = waiting
    const content = calls.map((call) => javaCall(call, 'pending'))
    return { ...result, content: [...content, ...calls.map(suspendedResult)], usage: null }
  }
}

function usageOf(event: Extract<AgentEvent, { type: 'MODEL_CALL_END' }>): Usage {
  const { input_tokens, output_tokens, cache_input_tokens = 0 } = event
  return { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens: 0 }
}

function dataOf(event: Extract<AgentEvent, { type: 'TOOL_RESULT_DATA_DELTA' }>): JsonObject {
  const { block_id: id = '', media_type, url, data } = event
  const source =
    typeof url === 'string'
      ? ({ type: 'url', url, media_type } as const)
      : ({ type: 'base64', data: data ?? '', media_type } as const)
  return javaData({ id, name: null, source })
}

/** Java writes the type of an event twice, first and last. */
function frameOf({ type, ...fields }: JavaEvent, stamp?: string): string {
  const at = stamp === undefined ? new Date() : new Date(stamp)
  const createdAt = `${at.toISOString().slice(0, -1)}${stamp?.slice(23, 26) || '000'}001Z`
  const text = JSON.stringify({ type, id: createId(), createdAt, ...fields })
  return `${text.slice(0, -1)},"type":${JSON.stringify(type)}}`
}
