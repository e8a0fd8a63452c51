import type { AgentEvent, JsonObject } from '../../../protocol/index.js'
import type { Aside } from '../../index.js'
import type { Task } from './Task.js'

/** Adds the tokens of a call of the model, and gives those of the whole conversation. */
export type CountTokens = (input: number, output: number, cached: number) => JsonObject

const MAX_ATTEMPTS = 5

/** Says what the model writes: thoughts that end only when text begins or the call is over, and attempts that fail. */
export class ModelVoice {
  readonly #task: Task
  readonly #count: CountTokens
  #attempt = 1
  #text: string | null = null
  #thoughts: string | null = null
  #isThinking = false
  #chunks = 0
  #textSince = 0

  /**
   * @param task - The task.
   * @param count - Counts tokens.
   */
  constructor(task: Task, count: CountTokens) {
    this.#task = task
    this.#count = count
  }

  /** A call of the model begins. */
  begin(): void {
    this.#attempt = 1
    this.#request()
  }

  /** Says what has no event of AgentScope's. */
  overhear(aside: Exclude<Aside, { kind: 'follow-up' }>): void {
    switch (aside.kind) {
      case 'lost-chunk':
        return aside.writing === 'text' ? this.write(aside.chunk) : this.think(aside.chunk)
      case 'attempt-failed':
        return this.#fail(aside)
      case 'attempt':
        this.#attempt = aside.attempt
        return this.#request()
    }
  }

  #request(): void {
    this.#text = null
    this.#thoughts = null
    this.#isThinking = false
    this.#chunks = 0
    const attempt = { attempt: this.#attempt, max_attempts: MAX_ATTEMPTS }
    this.#task.add('api_request_start', attempt)
  }

  #fail({ attempt, hasWritten, retryMs, error }: Extract<Aside, { kind: 'attempt-failed' }>): void {
    const when = { attempt, max_attempts: MAX_ATTEMPTS, retry_in: retryMs / 1000 }
    if (error !== undefined) {
      const { message, status: status_code } = error
      this.#task.add('error', { message, status_code, retry: true, ...when })
    }
    if (!hasWritten && error !== undefined) return
    this.#task.add('stream_reset', { reason: 'stream_disconnected', ...when })
  }

  /** It thinks. */
  think(content: string): void {
    if (this.#thoughts === null) {
      this.#task.add('thinking_start')
      this.#isThinking = true
    }
    this.#thoughts = `${this.#thoughts ?? ''}${content}`
    this.#task.add('thinking_chunk', { content })
  }

  /** It writes. */
  write(content: string): void {
    if (this.#text === null) {
      this.#endThinking()
      this.#task.add('text_start')
      this.#textSince = Date.now()
    }
    this.#text = `${this.#text ?? ''}${content}`
    this.#chunks += 1
    const elapsed = this.#chunks === 1 ? 0 : (Date.now() - this.#textSince) / 1000
    this.#task.add('text_chunk', { content, index: this.#chunks, elapsed })
  }

  #endThinking(): void {
    if (this.#isThinking) this.#task.add('thinking_end', { full_content: this.#thoughts ?? '' })
    this.#isThinking = false
  }

  /** The call is over. */
  end(event: Extract<AgentEvent, { type: 'MODEL_CALL_END' }>): void {
    // Who is stopped in the middle says nothing of an end.
    if (event.finished_reason === 'interrupted') return
    this.#endThinking()
    if (this.#text !== null) this.#task.add('text_end', { full_content: this.#text })
    const { input_tokens: input, output_tokens: output, cache_input_tokens: cached = 0 } = event
    this.#task.add('token_update', this.#count(input, output, cached))
  }
}
