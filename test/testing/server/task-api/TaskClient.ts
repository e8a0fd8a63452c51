/** An event as it was polled. */
export interface PolledEvent {
  readonly idx: number
  readonly type: string
  readonly data: {
    readonly [field: string]: unknown
    readonly content?: string
    readonly preparing_id?: string
    readonly status?: string
    readonly result?: { readonly [field: string]: unknown }
    readonly approval?: { readonly [field: string]: unknown; readonly approval_id: string }
    readonly questions?: readonly {
      readonly [field: string]: unknown
      readonly question_id: string
    }[]
  }
  readonly ts: number
}

/** A page of events. */
export interface PollPage {
  readonly [field: string]: unknown
  readonly task_id: string
  readonly status: string
  readonly events: readonly PolledEvent[]
  readonly next_offset: number
}

/** A body. */
export interface Body {
  readonly [field: string]: unknown
  readonly success: boolean
  readonly task_id?: string
  readonly conversation_id?: string
  readonly data?: PollPage
  readonly items?: readonly { readonly [field: string]: unknown }[]
}

/** A stored message. */
export interface StoredMessage {
  readonly [field: string]: unknown
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly metadata?: { readonly [field: string]: unknown }
}

/** A client of the Task API that knows nothing of the kit: `fetch`, and what the API's own documents say. */
export class TaskClient {
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = `${baseUrl}/task-api`
    this.#headers = headers
  }

  async ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Body }> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...this.#headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    // JSON of our own server.
    return { status: response.status, body: (await response.json()) as Body }
  }

  /** Posts a message, the way of version 1. */
  async send(message: string, more: object = {}, workspace = 'friday'): Promise<Started> {
    const path = `/api/v1/workspaces/${workspace}/messages`
    const { body } = await this.ask('POST', path, { message, ...more })
    return { taskId: body.task_id ?? '', conversationId: body.conversation_id ?? '' }
  }

  async page(taskId: string, from: string | number, surface = '/api/v1'): Promise<PollPage> {
    const { body } = await this.ask('GET', `${surface}/tasks/${taskId}?from=${from}`)
    if (body.data === undefined) throw new Error(JSON.stringify(body))
    return body.data
  }

  /** Polls until an event fits, or the task is over and a page is empty. */
  async until(
    taskId: string,
    fits: (event: PolledEvent) => boolean = () => false,
    surface?: string,
  ): Promise<{ readonly events: readonly PolledEvent[]; readonly status: string }> {
    const events: PolledEvent[] = []
    let from = 0
    for (;;) {
      const page = await this.page(taskId, from, surface)
      events.push(...page.events)
      from = page.next_offset
      const isOver = !['pending', 'running', 'cancel_requested'].includes(page.status)
      if (events.some(fits) || (isOver && page.events.length === 0)) {
        return { events, status: page.status }
      }
    }
  }

  async messages(conversationId: string, workspace = 'friday'): Promise<readonly StoredMessage[]> {
    const path = `/api/v1/workspaces/${workspace}/conversations/${conversationId}?full=1`
    const { body } = await this.ask('GET', path)
    // JSON of our own server.
    return (body.data?.['messages'] ?? []) as readonly StoredMessage[]
  }
}

/** A task that began. */
export interface Started {
  readonly taskId: string
  readonly conversationId: string
}
