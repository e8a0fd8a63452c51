/** The tools that the agent leaves to this page, by name. */
export const pageTools: ReadonlyMap<string, () => string> = new Map([
  [
    'get_local_time',
    () => new Date().toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' }),
  ],
])
