import { type Answer, TransportError } from '../../protocol/index.js'

/** The refusal of an answer that a backend has no place for. */
export function refuseAnswer(answer: Answer): TransportError {
  return new TransportError(
    'rejected',
    `This backend has no place for an answer of the kind "${answer.kind}", so it was not sent.`,
  )
}
