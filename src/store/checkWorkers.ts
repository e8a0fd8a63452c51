import type { PendingRequest, ToolCallRequest, WorkerRef } from '../fold/index.js'
import type { ChatCore } from './ChatCore.js'
import { toTransportError } from './createSends.js'
import { isGone } from './isGone.js'
import { withdraw } from './withdraw.js'

type WorkerRequest = ToolCallRequest & { readonly worker: WorkerRef }

/**
 * Asks each sub-agent whose requests stand whether it still waits, and takes away what is over: only one event tells that its
 * reply ended, and that may be lost. Never rejects; what cannot be told stays.
 *
 * @param core - The store.
 * @returns Whether one of them runs: it may be about to wait, or have been answered elsewhere.
 */
export async function checkWorkers(core: ChatCore): Promise<boolean> {
  const requests = core.get().conversation.requests.filter(isOfWorker)
  const workers = new Map(requests.map(({ worker }) => [worker.sessionId, worker]))
  const checks = [...workers].map(async ([sessionId, worker]) => {
    const status = await core.backend().workerStatus?.(worker).catch(toTransportError)
    const isOver = status === 'idle' || (typeof status === 'object' && isGone(status))
    const over = requests.filter(
      (request) =>
        request.worker.sessionId === sessionId &&
        // One that asks is said to run until that is stored; one that took an answer runs because of it.
        (isOver || (status === 'running' && core.get().sends[request.key]?.phase === 'sent')),
    )
    withdraw(core, over)
    return status === 'running'
  })
  return (await Promise.all(checks)).includes(true)
}

function isOfWorker(request: PendingRequest): request is WorkerRequest {
  return request.kind !== 'input' && request.worker !== null
}
