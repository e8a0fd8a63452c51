import type { JsonObject } from '../../protocol/index.js'
import { readObject } from './readField.js'

/**
 * Whether the framework wrote a stored message for the model: a reminder or a prompt, of the user's role though no person said it.
 *
 * @param message - The message as Java stores it.
 */
export function isForModel(message: JsonObject): boolean {
  const metadata = readObject(message, 'metadata')
  const synthetic = metadata['agentscope_synthetic'] ?? false
  return (synthetic !== false && synthetic !== 'false') || 'agentscope_reminder_kind' in metadata
}
