import type { Wait } from './Fault.js'

/**
 * Lets time pass, or less when what waits is over before.
 *
 * @param wait - How long; undefined = for good.
 * @param over - Ends it.
 */
export async function passes(wait: Wait | undefined, over: Promise<void>): Promise<void> {
  if (typeof wait !== 'number') {
    await Promise.race([over, ...(wait === undefined ? [] : [wait.catch(() => undefined)])])
    return
  }
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, wait)
  })
  await Promise.race([passed, over])
  clearTimeout(timer)
}
