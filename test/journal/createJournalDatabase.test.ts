// @vitest-environment node
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createJournalDatabase,
  type JournalDatabase,
} from '../../src/journal/createJournalDatabase.js'
import { useEmptyDevice } from './database.js'

beforeEach(useEmptyDevice)

function write({ run }: JournalDatabase): Promise<unknown> {
  const record = { key: 'k', savedAt: 0, size: 0, marks: new Map<string, never>() }
  return run((tx) => tx.objectStore('conversations').put(record))
}

function read({ run }: JournalDatabase): Promise<readonly string[]> {
  return run((tx) => tx.objectStore('conversations').getAllKeys())
}

describe('createJournalDatabase', () => {
  it('lets go of what an older version kept, and of the connections to it', async () => {
    const older = createJournalDatabase('journal', 1)
    await write(older)
    const newer = createJournalDatabase('journal', 2)
    expect(await read(newer)).toEqual([])
    await write(newer)
    await expect(write(older)).rejects.toMatchObject({ name: 'InvalidStateError' })
    expect(await read(newer)).toEqual(['k'])
  })

  it('does not wait for an older version that does not let go', async () => {
    const request = indexedDB.open('journal', 1)
    await new Promise((resolve) => {
      request.addEventListener('success', resolve)
    })
    await expect(write(createJournalDatabase('journal', 2))).rejects.toThrow('older version')
    request.result.close()
  })

  it('does nothing when a part of it fails', async () => {
    const database = createJournalDatabase('journal')
    const failing = database.run(async (tx) => {
      await tx.objectStore('conversations').put({
        key: 'k',
        savedAt: 0,
        size: 0,
        marks: new Map(),
      })
      throw new Error('no further')
    })
    await expect(failing).rejects.toThrow('no further')
    expect(await read(database)).toEqual([])
  })
})
