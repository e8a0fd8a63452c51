import { TransportError } from '../protocol/index.js'

/**
 * Asks the app for something that an attempt needs. What the app cannot give now it may have later, so a failure counts as one
 * of the network, unless it is a `TransportError`.
 *
 * @param ask - The app's function.
 * @param message - What the failure means.
 */
export async function askApp<Given>(
  ask: () => Given | Promise<Given>,
  message: string,
): Promise<Given> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof TransportError) throw cause
    throw new TransportError('offline', message, { cause })
  }
}
