import type { RunStatus } from '../../protocol/index.js'

/**
 * Reads the service's word for where a run stands.
 *
 * @param word - What `GET /sessions/{id}/status` gave.
 * @returns Undefined for a word that is not known: guessing could settle a reply that still runs.
 */
export function readRunStatus(word: unknown): RunStatus | undefined {
  if (word === 'awaiting_permission') return 'awaiting-confirm'
  if (word === 'awaiting_external_result') return 'awaiting-external'
  return word === 'running' || word === 'idle' ? word : undefined
}
