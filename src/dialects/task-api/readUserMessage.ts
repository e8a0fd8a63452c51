import {
  type DataBlock,
  isJsonObject,
  type JsonObject,
  type Msg,
  type TextBlock,
  UserMsg,
} from '../../protocol/index.js'
import { readObject, readText } from './readField.js'

/** A message with the role of the user: the person's own, something put in for the agent, or nothing to be seen. */
export type UserWords =
  | { readonly kind: 'own' | 'hidden' }
  | { readonly kind: 'hint'; readonly hint: string; readonly source: string }

/** Where a message came from; `user` for the person's own. */
function sourceOf(data: JsonObject): string {
  return field(data, 'message_source') ?? 'user'
}

/** Whether a message begins a new turn of the agent. */
export function startsWork(data: JsonObject): boolean {
  return (data['starts_work'] ?? readObject(data, 'metadata')['starts_work']) === true
}

/**
 * Whether a message begins a new turn of the agent, whatever stands before it: the person's own, one that starts work, the handing
 * over after memory was compressed. Any other does so only when the turn before is over.
 *
 * @param data - A `user_message`, or a stored message of the user.
 */
export function opensTurn(data: JsonObject): boolean {
  const isOwn = readUserMessage(data).kind === 'own'
  return isOwn || startsWork(data) || handsOver(data)
}

/**
 * Whether a message hands the work over after memory was compressed: the same task goes on, in another turn.
 *
 * @param data - A `user_message`, or a stored message of the user.
 */
export function handsOver(data: JsonObject): boolean {
  return sourceOf(data).startsWith('comp')
}

/**
 * Tells the person's words from those that the server put in.
 *
 * @param data - A `user_message`, or a stored message of the user.
 */
export function readUserMessage(data: JsonObject): UserWords {
  if (field(data, 'visibility') === 'hidden') return { kind: 'hidden' }
  const kind = sourceOf(data)
  const metadata = readObject(data, 'metadata')
  const isOfAgent = (data['multi_agent_message'] ?? metadata['multi_agent_message']) === true
  if (kind === 'user' && !isOfAgent) return { kind: 'own' }
  const label = field(data, 'multi_agent_display_name') ?? kind
  const sublabel = field(data, 'multi_agent_subtype')
  const more = sublabel === undefined ? {} : { sublabel }
  return { kind: 'hint', hint: cleanText(data), source: JSON.stringify({ label, kind, ...more }) }
}

/**
 * The person's own message.
 *
 * @param data - A `user_message`, or a stored message of the user.
 * @param id - Its id.
 * @param created_at - Its stamp.
 */
export function createUserMessage(data: JsonObject, id: string, created_at: string): Msg {
  const said = textOf(data)
  const text: TextBlock[] = said === '' ? [] : [{ type: 'text', id: `${id}:0`, text: said }]
  const content = [...text, ...readMedia(data, id)]
  return UserMsg({ id, name: 'user', content, metadata: readObject(data, 'metadata'), created_at })
}

/** The text without the source in brackets that the server writes before it. */
function cleanText(data: JsonObject): string {
  const clean = field(data, 'runtime_guidance_original')
  return clean ?? textOf(data).replace(/^\s*\[[^\]\n]*\]\s*/, '')
}

/** The text: as it is, or the texts of its parts. */
export function textOf(data: JsonObject): string {
  const { message, content } = data
  if (typeof message === 'string' && message !== '') return message
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return parts
    .flatMap((part) => (isJsonObject(part) ? (readText(part, 'text') ?? []) : []))
    .join('')
}

/** Images and videos are paths on the server's disk: an address that names the file, and that nothing fetches. */
function readMedia(data: JsonObject, id: string): readonly DataBlock[] {
  return ['images', 'videos'].flatMap((name) => {
    const value = data[name]
    const paths: readonly unknown[] = Array.isArray(value) ? value : []
    return paths.flatMap((path, index): DataBlock | readonly DataBlock[] => {
      if (typeof path !== 'string' || path === '') return []
      return {
        type: 'data',
        id: `${id}:${name}:${index}`,
        source: { type: 'url', url: `file:${path}`, media_type: mediaTypeOf(path, name) },
        name: path.split('/').at(-1) ?? path,
      }
    })
  })
}

function mediaTypeOf(path: string, list: string): string {
  const kind = list === 'images' ? 'image' : 'video'
  const end = /[.](\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '*'
  return `${kind}/${end === 'jpg' ? 'jpeg' : end}`
}

/** A field of the message, or of its metadata. */
function field(data: JsonObject, name: string): string | undefined {
  return readText(data, name) ?? readText(readObject(data, 'metadata'), name)
}
