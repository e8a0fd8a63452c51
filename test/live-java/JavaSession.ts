import { randomUUID } from 'node:crypto'
import {
  type ConfirmResult,
  type Conversation,
  createConversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolCallRequest,
  type ToolResultBlock,
  UserMsg,
} from '../../src/entries/core.js'
import type { MessageContent } from '../../src/entries/hooks.js'
import { javaDialect } from '../../src/entries/java.js'
import { foldTurn } from './foldTurn.js'
import { post, readData, readObject, type Turn } from './wire.js'

/** What a person says to one call: what is left out is as it was asked. */
export type Decision = Pick<ConfirmResult, 'confirmed'> & Partial<ConfirmResult>

/** A session of a Java program, through our dialect and our fold: each turn has a decoder of its own, as after a reload. */
export class JavaSession {
  readonly sessionId: string
  readonly turns: Turn[] = []
  #conversation: Conversation = createConversation()
  readonly #url: string

  /**
   * @param url - Where the program's endpoints are.
   * @param sessionId - A new one by default.
   */
  constructor(url: string, sessionId: string = randomUUID()) {
    this.#url = url
    this.sessionId = sessionId
  }

  /** Says something and reads the answer to its end; interrupts it as soon as a frame is of this type. */
  async chat(content: MessageContent, interruptAt?: string): Promise<void> {
    const message = UserMsg({ name: 'user', content })
    await this.#stream('chat', javaDialect.encode.send([message]), interruptAt)
  }

  /** Decides about each call that asks, or about the first so many of them. */
  async decide(decision: (request: ToolCallRequest, at: number) => Decision, count?: number) {
    const requests = this.#waiting('confirm').slice(0, count)
    const results = requests.map((request, at) => ({
      tool_call: request.toolCall,
      ...decision(request, at),
    }))
    await this.#stream(
      'confirm',
      javaDialect.encode.answer({ kind: 'confirm', ...about(requests), results }),
    )
  }

  /** Hands over what the client's own tools gave: a text for each call that waits. */
  async handOver(text: string): Promise<void> {
    const requests = this.#waiting('external')
    const results = requests.map(({ toolCall }): ToolResultBlock => {
      const { id, name } = toolCall
      const output = [{ type: 'text' as const, id: `${id}:0`, text }]
      return { type: 'tool_result', id, name, output, state: 'success', metadata: {} }
    })
    await this.#stream(
      'external',
      javaDialect.encode.answer({ kind: 'external', ...about(requests), results }),
    )
  }

  /** The agent's memory, message by message. */
  async memory(): Promise<readonly JsonObject[]> {
    const response = await fetch(`${this.#url}/memory?sessionId=${this.sessionId}`)
    const { messages } = readObject(`{"messages":${await response.text()}}`)
    if (!Array.isArray(messages)) throw new Error(`Not a list: ${JSON.stringify(messages)}`)
    return messages.filter(isJsonObject)
  }

  #waiting(kind: 'confirm' | 'external'): readonly ToolCallRequest[] {
    const waiting = this.#conversation.requests.filter(
      (request): request is ToolCallRequest => request.kind === kind,
    )
    if (waiting.length === 0) throw new Error(`Nothing waits for ${kind}.`)
    return waiting
  }

  async #stream(path: string, said: JsonValue, interruptAt?: string): Promise<void> {
    const body = { sessionId: this.sessionId, ...(isJsonObject(said) ? said : {}) }
    const response = await post(`${this.#url}/${path}`, body)
    const frames: string[] = []
    let interruptedAfter: number | undefined
    let ended: Turn['ended'] = 'eof'
    try {
      for await (const frame of readData(response)) {
        frames.push(frame)
        if (interruptedAfter !== undefined || readObject(frame)['type'] !== interruptAt) continue
        interruptedAfter = frames.length
        await post(`${this.#url}/interrupt`, { sessionId: this.sessionId })
      }
    } catch {
      ended = 'broken'
    }
    const turn: Turn = {
      path,
      body,
      status: response.status,
      ended,
      ...(interruptedAfter === undefined ? {} : { interruptedAfter }),
      frames,
    }
    this.turns.push(turn)
    this.#conversation = foldTurn(this.#conversation, turn, () => {})
  }
}

function about(requests: readonly ToolCallRequest[]): { id: string; reply_id: string } {
  return { id: randomUUID(), reply_id: requests[0]?.replyId ?? '' }
}
