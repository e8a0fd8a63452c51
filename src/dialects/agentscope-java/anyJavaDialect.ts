import type { Dialect } from '../../protocol/index.js'
import { createJavaDecoder } from './createJavaDecoder.js'
import { createManagedReader, isManagedFrame } from './createManagedReader.js'
import { javaDialect } from './javaDialect.js'
import { isDataAgentFrame, readDataAgent } from './readDataAgent.js'
import { isTaskFrame, readTask } from './readTask.js'

/**
 * All of Java's framings but bare text, told apart frame by frame: their words do not overlap. For recordings of which nothing
 * is known; a backend knows what it speaks.
 */
export const anyJavaDialect: Dialect = {
  ...javaDialect,
  createDecoder: (options = {}) =>
    createJavaDecoder(options, (events) => {
      const readManaged = createManagedReader(events)
      return (frame) => {
        if (isTaskFrame(frame)) readTask(events, frame)
        else if (isManagedFrame(frame)) readManaged(frame)
        else if (isDataAgentFrame(frame)) readDataAgent(events, frame)
        else events.read(frame)
      }
    }),
}
