import { readEvent, type FrameSplitter, type StreamFrame } from './StreamFrame.js'

const LF = 10
const CR = 13

/** Cuts a body of `text/event-stream` after each empty line. */
export function createSseSplitter(): FrameSplitter {
  let rest: Buffer = Buffer.alloc(0)
  let index = 0

  function frameOf(bytes: Buffer): StreamFrame {
    const lines = bytes.toString('utf8').split(/\r\n|\r|\n/)
    const data = lines.filter((line) => line.startsWith('data:'))
    if (data.length > 0) {
      index += 1
      const text = data.map((line) => line.slice(line.startsWith('data: ') ? 6 : 5)).join('\n')
      return { kind: 'event', bytes, event: readEvent(text), index }
    }
    const isHeartbeat = lines.some((line) => line.startsWith(':'))
    return { kind: isHeartbeat ? 'heartbeat' : 'other', bytes, event: null, index: 0 }
  }

  return {
    push: (chunk) => {
      const frames: StreamFrame[] = []
      // Only the new bytes, and the line end before them, can complete a frame.
      let from = Math.max(0, rest.length - 3)
      rest = Buffer.concat([rest, chunk])
      for (let end = endOfFrame(rest, from); end > 0; end = endOfFrame(rest, from)) {
        frames.push(frameOf(rest.subarray(0, end)))
        rest = rest.subarray(end)
        from = 0
      }
      return frames
    },
    rest: () => rest,
  }
}

/** Where the first empty line ends; 0 when there is none yet. */
function endOfFrame(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const first = lineEnd(bytes, at)
    const second = first === 0 ? 0 : lineEnd(bytes, at + first)
    if (second > 0) return at + first + second
  }
  return 0
}

/** How many bytes the line end at this place has; 0 when there is none. */
function lineEnd(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return 1
  if (bytes[at] !== CR) return 0
  return bytes[at + 1] === LF ? 2 : 1
}
