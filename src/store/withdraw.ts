import type { PendingRequest } from '../fold/index.js'
import type { ChatCore } from './ChatCore.js'

/**
 * Takes away requests that wait no more, although no event says so.
 *
 * @param core - The store.
 * @param requests - Which ones.
 */
export function withdraw(core: ChatCore, requests: readonly PendingRequest[]): void {
  if (requests.length === 0) return
  core.fold(requests.map(({ key }) => ({ type: 'kit.input_resolved', request_id: key })))
}
