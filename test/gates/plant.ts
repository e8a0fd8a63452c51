import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** A copy of part of the project in which a test may do harm. */
export interface Copy {
  /** Its absolute path. */
  readonly folder: string
  /** Writes files, by path inside the copy. */
  plant(files: Readonly<Record<string, string>>): void
  /** Runs a command inside the copy, and gives its exit code and all it printed. */
  run(command: string, ...args: readonly string[]): Promise<{ code: number; output: string }>
  /** Deletes the copy. */
  remove(): void
}

/**
 * Copies files and folders of the project into a temporary folder, which uses the project's packages.
 *
 * @param paths - What to copy, relative to the project.
 * @returns The copy; who made it removes it, at the latest when the test is over.
 */
export function copyOf(paths: readonly string[]): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'gate-'))
  for (const path of paths) cpSync(path, join(folder, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    plant: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    },
    run: (command, ...args) =>
      new Promise((settle) => {
        execFile(command, args, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
          settle({ code, output: stdout + stderr })
        })
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Like {@link copyOf}, for one test only. */
export function copyForTest(paths: readonly string[]): Copy {
  const copy = copyOf(paths)
  onTestFinished(() => copy.remove())
  return copy
}
