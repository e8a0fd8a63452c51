import { TransportError } from '../protocol/index.js'

/** Renews the credentials of an app. It is the app's: it gets a fresh token, or asks the person; then it resolves. */
export type RenewCredentials = () => Promise<void>

/** What all who use one function to renew credentials share. */
export interface Renewal {
  /** How often credentials were renewed so far. */
  readonly count: number
  /**
   * Has the credentials renewed, unless that happened since the count given. Rejects when the app failed to, and when fresh
   * ones were refused too.
   */
  renew(since: number): Promise<void>
  /** The credentials were good. */
  accepted(): void
}

/** By the function: whoever uses the same one waits for the same renewal. */
const renewals = new WeakMap<RenewCredentials, Renewal>()

/**
 * The state of one function that renews credentials.
 *
 * @param ask - The function, if the app gave one.
 */
export function renewalOf(ask: RenewCredentials | undefined): Renewal | undefined {
  if (ask === undefined) return undefined
  const known = renewals.get(ask) ?? createRenewal(ask)
  renewals.set(ask, known)
  return known
}

/**
 * Tries something, and once more with renewed credentials when it was refused for want of good ones: what was refused so
 * had no effect, and may be repeated.
 *
 * @param ask - Renews credentials; without it, a refusal is final.
 * @param attempt - One try; it asks for its credentials anew.
 */
export async function withRenewal<Result>(
  ask: RenewCredentials | undefined,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const renewal = renewalOf(ask)
  const since = renewal?.count ?? 0
  try {
    return await attempt()
  } catch (error) {
    if (renewal === undefined || !isRefusal(error)) throw error
    await renewal.renew(since).catch(() => {
      throw error
    })
    return attempt()
  }
}

/** Whether something failed for want of good credentials. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TransportError && error.reason === 'unauthorized'
}

function createRenewal(ask: RenewCredentials): Renewal {
  let count = 0
  let isInVain = false
  let underWay: Promise<void> | undefined

  async function askOnce(): Promise<void> {
    await ask()
    count += 1
    isInVain = true
  }

  return {
    get count() {
      return count
    },
    renew: async (since) => {
      if (count > since) return
      if (isInVain) throw new TransportError('unauthorized', 'Fresh credentials were refused too.')
      underWay ??= askOnce().finally(() => {
        underWay = undefined
      })
      await underWay
    },
    accepted: () => {
      isInVain = false
    },
  }
}
