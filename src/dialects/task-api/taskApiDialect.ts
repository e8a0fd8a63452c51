import type { Dialect } from '../../protocol/index.js'

/**
 * The Task API: an agent's work is a task, polled by `GET …/tasks/{id}?from=N`. A frame is the whole body of one poll, wrapped in
 * `data` or not.
 */
export const taskApiDialect: Dialect = {
  name: 'task-api',
  createDecoder: () => ({
    push: () => ({ inputs: [], anomalies: [] }),
    end: () => ({ inputs: [], anomalies: [] }),
    cursor: () => null,
  }),
  encode: { send: () => null, answer: () => null },
}
