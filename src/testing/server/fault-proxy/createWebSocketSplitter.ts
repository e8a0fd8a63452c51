import { isJsonObject } from '../../../protocol/index.js'
import { readEvent, type FrameSplitter, type StreamFrame } from './StreamFrame.js'

const CONTINUATION = 0
const TEXT = 1
const PING = 9
const PONG = 10

/** One frame of the WebSocket protocol (RFC 6455 §5.2), as a server sends it. */
interface WireFrame {
  /** Whether it is the last of its message. */
  readonly isLast: boolean
  /** What it is. */
  readonly opcode: number
  /** What it carries. */
  readonly payload: Buffer
  /** Its whole length in bytes. */
  readonly length: number
}

/**
 * Cuts what a WebSocket server sends, after the handshake and without compression, into its messages. Plain messages are
 * events; of `agentscope.v1` those of kind `event` are, pings and pongs are heartbeats.
 */
export function createWebSocketSplitter(): FrameSplitter {
  let rest: Buffer = Buffer.alloc(0)
  let parts: { readonly bytes: Buffer; readonly frame: WireFrame }[] = []
  let index = 0

  function messageOf(text: string, bytes: Buffer): StreamFrame {
    const value = readEvent(text)
    const kind = isJsonObject(value) ? value['kind'] : undefined
    if (kind === 'ping' || kind === 'pong')
      return { kind: 'heartbeat', bytes, event: null, index: 0 }
    if (kind !== undefined && kind !== 'event')
      return { kind: 'other', bytes, event: null, index: 0 }
    index += 1
    const event = isJsonObject(value) && kind === 'event' ? (value['event'] ?? null) : value
    return { kind: 'event', bytes, event, index }
  }

  function take(bytes: Buffer, frame: WireFrame): StreamFrame | undefined {
    if (frame.opcode === PING || frame.opcode === PONG) {
      return { kind: 'heartbeat', bytes, event: null, index: 0 }
    }
    if (frame.opcode !== TEXT && frame.opcode !== CONTINUATION) {
      return { kind: 'other', bytes, event: null, index: 0 }
    }
    parts.push({ bytes, frame })
    if (!frame.isLast) return undefined
    const text = Buffer.concat(parts.map((part) => part.frame.payload)).toString('utf8')
    const whole = Buffer.concat(parts.map((part) => part.bytes))
    parts = []
    return messageOf(text, whole)
  }

  return {
    push: (chunk) => {
      rest = Buffer.concat([rest, chunk])
      const frames: StreamFrame[] = []
      for (let wire = readWireFrame(rest); wire !== undefined; wire = readWireFrame(rest)) {
        const frame = take(rest.subarray(0, wire.length), wire)
        if (frame !== undefined) frames.push(frame)
        rest = rest.subarray(wire.length)
      }
      return frames
    },
    rest: () => Buffer.concat([...parts.map((part) => part.bytes), rest]),
  }
}

/** The first frame, if it is there as a whole. A server does not mask what it sends. */
function readWireFrame(bytes: Buffer): WireFrame | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  const short = second & 0x7f
  const head = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < head) return undefined
  const size =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  const length = head + size
  if (bytes.length < length) return undefined
  const payload = bytes.subarray(head, length)
  return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload, length }
}

/** The frame with which a server ends a WebSocket. */
export function closeFrame(code: number): Uint8Array {
  return Buffer.from([0x88, 2, code >> 8, code & 0xff])
}
