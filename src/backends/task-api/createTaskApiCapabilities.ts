import type { Capabilities } from '../../protocol/index.js'
import type { TaskApiSurface } from './TaskApiPaths.js'

/**
 * What a surface can do. Only what is said about a plan has a place, and only where answers are taken.
 *
 * @param surface - Which one.
 * @param attachments - Media types that messages may carry.
 */
export function createTaskApiCapabilities(
  surface: TaskApiSurface,
  attachments: readonly string[],
): Capabilities {
  return {
    history: true,
    status: true,
    interrupt: true,
    resume: 'replay',
    partialAnswers: true,
    editArguments: false,
    rules: false,
    denyReason: surface === 'web' ? 'plan' : false,
    attachments,
    sendWhileRunning: 'refused',
  }
}
