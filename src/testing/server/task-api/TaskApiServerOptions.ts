/** How the Task API of a server is to be. */
export interface TaskApiServerOptions {
  /**
   * `current` (the default) is the API as it is now: the person's message comes back, payloads name their task, one task at a time
   * in each conversation. `classic` is as its first documents describe it: 1,000 events are kept, a stopped task is `canceled`, one
   * task at a time in each workspace.
   */
  readonly version?: 'classic' | 'current'
  /** Who asks must bring this as `Authorization: Bearer …`; by default nobody is asked. */
  readonly token?: string
  /** How many events of a task are kept; by default 20,000, or 1,000 in the classic version. */
  readonly bufferSize?: number
  /** So many of a task's last events are not there yet when its end is told first; 0 by default. */
  readonly tailRace?: number
  /** After how many milliseconds a task that is over is forgotten (404): 0 is at once, an hour the default. */
  readonly forgetAfterMs?: number
}
