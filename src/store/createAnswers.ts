import type { PendingRequest, ToolCallRequest } from '../fold/index.js'
import type { Answer, ConfirmResult, ToolResultBlock } from '../protocol/index.js'
import { createId } from '../protocol/index.js'
import type { ChatCommands, Decision, ExternalResult } from './ChatCommands.js'
import type { ChatCore } from './ChatCore.js'
import type { Sends } from './createSends.js'
import { takesReason } from './takesReason.js'
import type { Verdict } from './Verdict.js'

/**
 * Makes the commands that answer requests.
 *
 * @param core - The store.
 * @param sends - Where the answers stand.
 */
export function createAnswers(
  core: ChatCore,
  sends: Sends,
): Pick<ChatCommands, 'confirm' | 'submitResults' | 'submitInput'> {
  async function give(verdicts: readonly Verdict[]): Promise<void> {
    const free = verdicts.filter(({ request }) => !sends.isLocked(request.key))
    const byReply = new Map<string, Map<string, Verdict>>()
    for (const verdict of free) {
      const group = byReply.get(verdict.request.replyId) ?? new Map<string, Verdict>()
      byReply.set(verdict.request.replyId, group.set(verdict.request.key, verdict))
    }
    await Promise.all([...byReply.values()].map((group) => giveToReply(group)))
  }

  async function giveToReply(group: ReadonlyMap<string, Verdict>): Promise<void> {
    const complete = core.backend().capabilities.partialAnswers ? group : joinDecided(group)
    if (complete === null) return
    const inOrder = openRequests(complete).flatMap(({ key }) => complete.get(key) ?? [])
    const answer = createAnswer(inOrder)
    if (answer === null) return
    const keys = inOrder.map(({ request }) => request.key)
    await sends.start({ keys, answer, verdicts: complete })
  }

  /** With what was decided before; null, and held too, while the reply has undecided requests of this kind. */
  function joinDecided(group: ReadonlyMap<string, Verdict>): ReadonlyMap<string, Verdict> | null {
    const open = openRequests(group)
    const known = open.flatMap(
      ({ key }) => group.get(key) ?? sends.job(key)?.verdicts?.get(key) ?? [],
    )
    const verdicts = new Map(known.map((verdict) => [verdict.request.key, verdict]))
    if (verdicts.size === open.length) return verdicts
    for (const key of group.keys()) sends.hold({ keys: [key], verdicts: group })
    return null
  }

  /** What waits in the reply that a group is about, in the order asked. */
  function openRequests(group: ReadonlyMap<string, Verdict>): readonly ToolCallRequest[] {
    const [first] = group.values()
    return core
      .get()
      .conversation.requests.filter(isToolCallRequest)
      .filter(
        ({ key, kind, replyId }) =>
          kind === first?.kind && replyId === first.request.replyId && !sends.isLocked(key),
      )
  }

  function createAnswer(verdicts: readonly Verdict[]): Answer | null {
    const [first] = verdicts
    if (first === undefined) return null
    const reply_id = first.request.replyId
    const id = createId()
    const answer: Answer =
      first.kind === 'confirm'
        ? { kind: 'confirm', id, reply_id, results: verdicts.flatMap(confirmResult) }
        : { kind: 'external', id, reply_id, results: verdicts.flatMap(externalResult) }
    return asBefore(first.request.key, answer)
  }

  /** What is sent again goes out under the same id. */
  function asBefore(key: string, answer: Answer): Answer {
    const before = sends.job(key)?.answer
    return before !== undefined && isSameAnswer(before, answer) ? before : answer
  }

  return {
    confirm: (decisions) => {
      const { capabilities } = core.backend()
      const { editArguments, rules } = capabilities
      return give(
        listOf(decisions).flatMap((decision) => {
          if (decision.input !== undefined && !editArguments) throw cannot('edited arguments')
          if (decision.rules !== undefined && !rules) throw cannot('permission rules')
          const request = findRequest(core, decision.request, 'confirm')
          if (request === null) return []
          if (decision.reason !== undefined && !takesReason(request, capabilities)) {
            throw cannot('reasons')
          }
          return [{ kind: 'confirm', request, decision, result: decide(request, decision) }]
        }),
      )
    },
    submitResults: (results) =>
      give(
        listOf(results).flatMap((result) => {
          const request = findRequest(core, result.request, 'external')
          if (request === null) return []
          return [{ kind: 'external', request, result: createResult(request, result) }]
        }),
      ),
    submitInput: async ({ request: wanted, action = 'submit', values }) => {
      const request = findPending(core, wanted)
      if (request === undefined || sends.isLocked(request.key)) return
      if (request.kind !== 'input') throw wrongWay(request)
      const { key } = request
      const { request_id } = request.request
      const said = values === undefined ? {} : { values }
      const answer = asBefore(key, { kind: 'input', id: createId(), request_id, action, ...said })
      await sends.start({ keys: [key], answer })
    },
  }
}

/** A request that is gone was answered elsewhere: there is nothing to send, and nothing wrong. */
function findPending(core: ChatCore, wanted: PendingRequest | string): PendingRequest | undefined {
  const key = typeof wanted === 'string' ? wanted : wanted.key
  return core.get().conversation.requests.find((pending) => pending.key === key)
}

function findRequest(
  core: ChatCore,
  wanted: ToolCallRequest | string,
  kind: ToolCallRequest['kind'],
): ToolCallRequest | null {
  const request = findPending(core, wanted)
  if (request === undefined) return null
  if (isToolCallRequest(request) && request.kind === kind) return request
  throw wrongWay(request)
}

function wrongWay({ key, kind }: PendingRequest): TypeError {
  return new TypeError(
    `The request ${key} is of kind "${kind}", so it cannot be answered this way: ` +
      'confirm is for "confirm", submitResults for "external", submitInput for "input".',
  )
}

/** The call goes back as it was asked; only edited arguments replace its own. */
function decide(request: ToolCallRequest, decision: Decision): ConfirmResult {
  const { approve, input, rules, reason } = decision
  const { toolCall } = request
  const said = reason === undefined ? {} : { reason }
  if (!approve) return { confirmed: false, tool_call: toolCall, ...said }
  return {
    confirmed: true,
    tool_call: input === undefined ? toolCall : { ...toolCall, input },
    ...(rules === undefined ? {} : { rules }),
    ...said,
  }
}

function createResult(request: ToolCallRequest, result: ExternalResult): ToolResultBlock {
  const { id, name } = request.toolCall
  const { output, state = 'success', metadata = {} } = result
  return { type: 'tool_result', id, name, output, state, metadata }
}

function isToolCallRequest(request: PendingRequest): request is ToolCallRequest {
  return request.kind !== 'input'
}

function confirmResult(verdict: Verdict): ConfirmResult[] {
  return verdict.kind === 'confirm' ? [verdict.result] : []
}

function externalResult(verdict: Verdict): ToolResultBlock[] {
  return verdict.kind === 'external' ? [verdict.result] : []
}

/** Same but for the id. */
function isSameAnswer(one: Answer, other: Answer): boolean {
  return JSON.stringify({ ...one, id: '' }) === JSON.stringify({ ...other, id: '' })
}

function listOf<Item>(items: Item | readonly Item[]): readonly Item[] {
  return isList(items) ? items : [items]
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList<Item>(items: Item | readonly Item[]): items is readonly Item[] {
  return Array.isArray(items)
}

function cannot(what: string): TypeError {
  return new TypeError(
    `This backend takes no ${what}, so they would be lost: look at its capabilities before offering them.`,
  )
}
