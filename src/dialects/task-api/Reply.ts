import type { FinishedReason, JsonObject } from '../../protocol/index.js'
import type { Output } from './Output.js'

/** A text or a thought as it comes in. */
export interface Piece {
  /** Its id. */
  readonly id: string
  /** When it began. */
  readonly createdAt: string | undefined
  /** What was said so far. */
  said: string
  /** Whether its end is still to come. A thought may go on after its end. */
  isOpen: boolean
}

/** A tool call and its result as they come in. */
export interface Call {
  /** The call's id in the kit. */
  readonly id: string
  /** The id that the model's provider gave it; may come again. */
  readonly wireId: string
  /** The how manyth of that id it is in its reply. */
  readonly count: number
  /** The tool's name; empty until it is told. */
  name: string
  /** The reply it is in. */
  readonly reply: Reply
  /** How many blocks were before it. */
  readonly place: number
  /** When it began. */
  readonly createdAt: string | undefined
  /** The arguments, once they are known. */
  input: string | undefined
  /** How many blocks were before its result; undefined while there is none. */
  resultPlace: number | undefined
  /** Whether the result ended: by the wire's word, or because nothing more was to come. */
  end: 'told' | 'implied' | undefined
  /** Whether it was taken back. */
  isGone: boolean
  /** What it waits for. */
  waits: 'confirm' | 'external' | undefined
  /** What the wire said about it while it was written: intent and message. */
  metadata: JsonObject
  /** The screen before the tool ran. */
  snapshot: JsonObject
  /** Questions it asked, in order. The first is asked under the call's own id, each other has a call of its own. */
  readonly questions: Map<string, Call>
}

/** The two kinds of what a model says. */
export type PieceKind = 'text' | 'thinking'

/** A reply as it comes in. */
export interface Reply {
  /** Its id. */
  readonly id: string
  /** How many blocks its message has. */
  blocks: number
  /** How many it had when the current model call began. */
  mark: number
  /** The number of the current model call. */
  call: number
  /** The latest piece of each kind in the current model call. */
  readonly pieces: Map<PieceKind, Piece>
  /** Its calls, in order. */
  calls: Call[]
  /** Those that asked for something since the model was called. */
  readonly waiting: Set<Call>
  /** Whether the agent did nothing in it yet. */
  isFresh: boolean
  /** The end that was told. */
  end: FinishedReason | undefined
  /** What is kept about it besides its blocks. */
  metadata: JsonObject
}

/** A reply that begins. */
export function createReply(id: string): Reply {
  return {
    id,
    blocks: 0,
    mark: 0,
    call: 0,
    pieces: new Map(),
    calls: [],
    waiting: new Set(),
    isFresh: true,
    end: undefined,
    metadata: {},
  }
}

/** The next model call begins: what the one before left open ends, and from here on may be taken back. */
export function beginModelCall(out: Output, reply: Reply): void {
  closePieces(out, reply)
  reply.pieces.clear()
  reply.call += 1
  reply.mark = reply.blocks
  reply.isFresh = false
}

/** Begins a text or a thought. Where no event tells of model calls, the second of a kind belongs to the next one. */
export function beginPiece(out: Output, reply: Reply, kind: PieceKind): Piece {
  if (reply.call === 0 || reply.pieces.has(kind)) beginModelCall(out, reply)
  const id = `${reply.id}:${reply.call}:${kind === 'text' ? 'text' : 'think'}`
  const piece: Piece = { id, createdAt: out.createdAt, said: '', isOpen: true }
  reply.pieces.set(kind, piece)
  reply.isFresh = false
  reply.blocks += 1
  const type = kind === 'text' ? 'TEXT_BLOCK_START' : 'THINKING_BLOCK_START'
  out.tell({ type, reply_id: reply.id, block_id: id })
  return piece
}

/** Adds to a piece, which begins where nobody said that it does, and goes on after its end. */
export function growPiece(out: Output, reply: Reply, kind: PieceKind, delta: string): void {
  if (delta === '') return
  const piece = reply.pieces.get(kind) ?? beginPiece(out, reply, kind)
  piece.said += delta
  const type = kind === 'text' ? 'TEXT_BLOCK_DELTA' : 'THINKING_BLOCK_DELTA'
  out.tell({ type, reply_id: reply.id, block_id: piece.id, delta })
}

/** Ends a piece with its whole words, which count. */
export function endPiece(out: Output, reply: Reply, kind: PieceKind, full: unknown): void {
  if (typeof full === 'string') settlePiece(out, reply, kind, full)
  const piece = reply.pieces.get(kind)
  if (piece !== undefined) closePiece(out, reply, kind, piece)
}

/** Ends what is open. */
export function closePieces(out: Output, reply: Reply): void {
  for (const [kind, piece] of reply.pieces) closePiece(out, reply, kind, piece)
}

/** Takes back what came since the model was called. */
export function rollBack(out: Output, reply: Reply): void {
  const { mark } = reply
  reply.pieces.clear()
  reply.calls = reply.calls.filter((call) => {
    call.isGone = call.place >= mark
    if ((call.resultPlace ?? 0) >= mark) {
      call.resultPlace = undefined
      call.end = undefined
    }
    return !call.isGone
  })
  if (mark === reply.blocks) return
  reply.blocks = mark
  out.tell({ type: 'kit.rollback', reply_id: reply.id, mark })
}

function settlePiece(out: Output, reply: Reply, kind: PieceKind, full: string): void {
  const said = reply.pieces.get(kind)?.said ?? ''
  if (full.startsWith(said)) {
    growPiece(out, reply, kind, full.slice(said.length))
    return
  }
  const piece = reply.pieces.get(kind)
  if (piece === undefined) return
  const { id, createdAt = null } = piece
  const words = kind === 'text' ? { type: kind, text: full } : { type: kind, thinking: full }
  // It says that it has ended, too: whoever reads on in the middle of a task may have heard the end before.
  const finished_at = out.createdAt ?? null
  const block = { ...words, id, created_at: createdAt, finished_at }
  piece.said = full
  out.tell({ type: 'kit.block_set', reply_id: reply.id, block })
  piece.isOpen = finished_at === null
}

function closePiece(out: Output, reply: Reply, kind: PieceKind, piece: Piece): void {
  if (!piece.isOpen) return
  piece.isOpen = false
  const type = kind === 'text' ? 'TEXT_BLOCK_END' : 'THINKING_BLOCK_END'
  out.tell({ type, reply_id: reply.id, block_id: piece.id })
}
