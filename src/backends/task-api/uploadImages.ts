import {
  getTextContent,
  TransportError,
  type DataBlock,
  type JsonValue,
  type Msg,
} from '../../protocol/index.js'
import type { ServiceClient } from '../agent-service/createServiceClient.js'
import { readData, readWord } from './readBody.js'

/**
 * Uploads the pictures of messages: the Task API takes the paths of files.
 *
 * @param client - Speaks with the server.
 * @param path - Where files go.
 * @param workspaceId - Whose they are, where the path does not tell.
 * @param messages - What the person sends.
 * @returns The paths, in order. Rejects with a `TransportError`.
 */
export async function uploadImages(
  client: ServiceClient,
  path: string,
  workspaceId: string,
  messages: readonly Msg[],
): Promise<readonly JsonValue[]> {
  const paths: JsonValue[] = []
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type !== 'data') continue
    const body = new FormData()
    const name = block.name ?? `image.${block.source.media_type.replace(/^.*\/|[+;].*$/g, '')}`
    body.append('file', readBytes(block), name)
    body.append('filename', name)
    body.append('workspace_id', workspaceId)
    const stored = readWord(readData(await client.call('POST', path, { body }))['path'])
    if (stored === undefined) {
      throw new TransportError(
        'malformed',
        'The server took a picture, but does not say where it is.',
      )
    }
    paths.push(stored)
  }
  return paths
}

/** The words of messages. */
export function wordsOf(messages: readonly Msg[]): string {
  return messages.flatMap((message) => getTextContent(message) ?? []).join('\n')
}

function readBytes({ source }: DataBlock): Blob {
  if (source.type !== 'base64') {
    throw new TransportError(
      'rejected',
      'The Task API takes pictures as files: one that is only an address was not sent.',
    )
  }
  const bytes = Uint8Array.from(atob(source.data), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type: source.media_type })
}
