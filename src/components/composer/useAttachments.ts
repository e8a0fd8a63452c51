'use client'
import { useEffect, useRef, useState } from 'react'
import type { BlockInit, DataBlock } from '../../protocol/index.js'
import { createAttachment, dropAttachment, isAccepted, readFile } from './Attachment.js'
import type { Attachment } from './Attachment.js'

/** The files of one composer. */
export interface Attachments {
  /** What waits to be sent. */
  readonly list: readonly Attachment[]
  /** The name of the last file that was not taken; null when all were. */
  readonly refused: string | null
  /** Adds files. */
  readonly add: (files: Iterable<File>) => void
  /** Takes one away. */
  readonly remove: (attachment: Attachment) => void
  /** Reads all into blocks that can be sent; null when one cannot be read, or when they are being read already. */
  readonly read: () => Promise<readonly BlockInit<DataBlock>[] | null>
  /** Takes all away. */
  readonly clear: () => void
}

/**
 * Keeps the files of one composer and their previews, which are let go of with the composer.
 *
 * @param accepted - Media types that are taken, such as `image/*`; empty = none.
 */
export function useAttachments(accepted: readonly string[]): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([])
  const [refused, setRefused] = useState<string | null>(null)
  const shown = useRef(list)
  const isReading = useRef(false)

  const show = (next: readonly Attachment[]): void => {
    for (const attachment of shown.current)
      if (!next.includes(attachment)) dropAttachment(attachment)
    shown.current = next
    setList(next)
  }
  useEffect(
    () => () => {
      for (const attachment of shown.current) dropAttachment(attachment)
      shown.current = []
    },
    [],
  )
  return {
    list,
    refused,
    add: (files) => {
      const all = Array.from(files)
      setRefused(all.findLast((file) => !isAccepted(file, accepted))?.name ?? null)
      const taken = all.filter((file) => isAccepted(file, accepted))
      if (taken.length > 0) show([...shown.current, ...taken.map(createAttachment)])
    },
    remove: (attachment) => show(shown.current.filter(({ key }) => key !== attachment.key)),
    read: async () => {
      if (isReading.current) return null
      isReading.current = true
      try {
        return await Promise.all(shown.current.map(({ file }) => readFile(file)))
      } catch {
        // Deleted or moved since it was chosen: nothing is sent, and the person sees which files there are.
        setRefused(shown.current.map(({ file }) => file.name).join(', '))
        return null
      } finally {
        isReading.current = false
      }
    },
    clear: () => show([]),
  }
}
