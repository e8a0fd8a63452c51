import type { Socket } from 'node:net'
import type { ServerResponse } from 'node:http'
import type { StreamFrame } from './StreamFrame.js'

/** Where the bytes of one answer go. */
export interface Outlet {
  /** Whether nothing more can be written. */
  readonly isOver: boolean
  /** Resolves when it is over, for whatever reason. */
  readonly over: Promise<void>
  /** Writes bytes, which may be those of a frame; resolves when more may come. */
  write(bytes: Uint8Array, frame?: StreamFrame): Promise<void>
  /** Ends it as the server would: all there is has been written. */
  end(): void
  /** Breaks the line, after what was written has left. */
  break(): void
}

/** The body of an HTTP answer. */
export function responseOutlet(response: ServerResponse): Outlet {
  return outletOf(response, () => {
    const { socket } = response
    // A reset could overtake the last bytes; without its last chunk the body is broken all the same.
    if (socket === null || response.writableNeedDrain) response.destroy()
    else response.write('', () => socket.destroy())
  })
}

/** A WebSocket's line. */
export function socketOutlet(socket: Socket): Outlet {
  return outletOf(socket, () => socket.destroySoon())
}

function outletOf(line: ServerResponse | Socket, breakLine: () => void): Outlet {
  let isOver = line.destroyed
  const over = new Promise<void>((resolve) => {
    const finish = (): void => {
      isOver = true
      resolve()
    }
    if (isOver) finish()
    line.once('close', finish)
  })
  return {
    get isOver() {
      return isOver
    },
    over,
    write: async (bytes) => {
      if (isOver || bytes.length === 0 || line.write(bytes)) return
      const drained = new Promise<void>((resolve) => {
        line.once('drain', resolve)
      })
      await Promise.race([drained, over])
    },
    end: () => {
      if (!isOver) line.end()
      isOver = true
    },
    break: () => {
      if (!isOver) breakLine()
      isOver = true
    },
  }
}
