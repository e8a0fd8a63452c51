import type {
  AgentEvent,
  BlockSetOperation,
  InputRequestOperation,
  JsonObject,
  UserMessageOperation,
} from '../../protocol/index.js'
import { DecodedBuffer } from '../DecodedBuffer.js'
import type { Run } from './Run.js'

/** What a decoder tells of a reply. */
type ReplyInput = Exclude<AgentEvent, { readonly type: 'CUSTOM' }> | BlockSetOperation

/** An input without what `Output` adds. */
type Body<Input> = Input extends unknown
  ? Omit<Input, 'id' | 'created_at' | 'reply_id' | 'agent_path'>
  : never

/** Collects the inputs that a frame gives, and gives them ids that a replay gives again. */
export class Output extends DecodedBuffer {
  readonly #seed: string
  #frames = 0
  #frameId = ''
  #count = 0
  #createdAt: string | undefined

  constructor(seed: string) {
    super()
    this.#seed = seed
  }

  /** The stamp of the frame that is read. */
  get createdAt(): string | undefined {
    return this.#createdAt
  }

  /** An id for the frame that is read: its own, or its number. */
  get frameId(): string {
    return this.#frameId
  }

  /** Begins a frame. Frames without an id are counted, so that the same frames in the same order get the same ids. */
  begin(id: string | undefined, createdAt: string | undefined): void {
    if (id === undefined) this.#frames += 1
    this.#frameId = id ?? `${this.#seed}${this.#frames}`
    this.#createdAt = createdAt
    this.#count = 0
  }

  /** Tells something of a reply. */
  tell(run: Run, body: Body<ReplyInput>, createdAt: string | undefined = this.#createdAt): void {
    const input = {
      ...body,
      ...this.#envelope(run.path),
      reply_id: run.replyId,
      ...(createdAt === undefined ? {} : { created_at: createdAt }),
    }
    this.add(input)
  }

  /** Tells something that is of no reply's message. */
  note(name: string, value: JsonObject, run?: Pick<Run, 'path'>): void {
    const { created_at } = this.#stamp()
    this.add({
      type: 'CUSTOM',
      ...this.#envelope(run?.path ?? []),
      ...(created_at === undefined ? {} : { created_at }),
      name,
      value,
    })
  }

  /** Tells what the user said, or what is asked. */
  pass(operation: Body<UserMessageOperation> | Body<InputRequestOperation>): void {
    this.add({ ...operation, ...this.#envelope([]), ...this.#stamp() })
  }

  #stamp(): { readonly created_at?: string } {
    return this.#createdAt === undefined ? {} : { created_at: this.#createdAt }
  }

  #envelope(path: readonly string[]): { id: string; agent_path?: readonly string[] } {
    const id = this.#count === 0 ? this.#frameId : `${this.#frameId}:${this.#count}`
    this.#count += 1
    return path.length === 0 ? { id } : { id, agent_path: path }
  }
}
