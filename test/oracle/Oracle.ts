import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isJsonObject } from '../../src/protocol/index.js'
import type { Answer } from './compare.js'
import type { Stream } from './streams.js'

/** AgentScope's own fold, in one Python process for a whole run. */
export class Oracle {
  /** What answers: versions by name. */
  readonly versions: Readonly<Record<string, unknown>>
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #send: (line: string) => void

  /**
   * Starts the process.
   *
   * @param python - Path of a Python that has AgentScope.
   */
  static async start(python: string): Promise<Oracle> {
    const child = spawn(python, ['test/oracle/oracle.py'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.on('error', () => {}) // No line comes then, and the first question says so.
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { value } = await lines.next()
    const versions: unknown = value === undefined ? undefined : JSON.parse(value)
    if (!isJsonObject(versions)) throw new Error('The Python process did not start.')
    return new Oracle(child, lines, (line) => child.stdin.write(line), versions)
  }

  private constructor(
    child: ChildProcess,
    lines: AsyncIterator<string>,
    send: (line: string) => void,
    versions: Readonly<Record<string, unknown>>,
  ) {
    this.#process = child
    this.#lines = lines
    this.#send = send
    this.versions = versions
  }

  /** Folds a stream. Questions are asked one after another. */
  async fold(stream: Stream): Promise<Answer> {
    this.#send(`${JSON.stringify(stream)}\n`)
    const { value } = await this.#lines.next()
    if (value === undefined) throw new Error('The Python process ended.')
    // oracle.py says what it answers.
    return JSON.parse(value) as Answer
  }

  /** Ends the process. */
  stop(): void {
    this.#process.stdin?.end()
  }
}
