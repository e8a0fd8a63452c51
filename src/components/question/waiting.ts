import type { PendingRequest } from '../../hooks/index.js'
import type { Words } from '../../i18n/index.js'
import { isConfirm } from '../confirm/ConfirmDialog.js'
import { isQuestion } from './readQuestion.js'

/**
 * Tells whether a request waits for the person, rather than for a tool that the app runs.
 *
 * @param request - Any request.
 */
export function waitsForPerson(request: PendingRequest): boolean {
  return isConfirm(request) || isQuestion(request)
}

/**
 * Says how many approvals and how many questions wait.
 *
 * @param waiting - What waits for the person; at least one.
 * @param words - Where the sentences come from.
 */
export function describeWaiting(
  waiting: readonly PendingRequest[],
  { confirm, question }: Words,
): string {
  const approvals = waiting.filter(isConfirm).length
  const questions = waiting.length - approvals
  const sentences = [
    ...(approvals > 0 ? [confirm.waiting(approvals)] : []),
    ...(questions > 0 ? [question.waiting(questions)] : []),
  ]
  return sentences.join(' · ')
}
