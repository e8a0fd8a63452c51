'use client'
import type { ReactElement, ReactNode } from 'react'
import { isJsonObject } from '../../protocol/index.js'
import type { JsonValue } from '../../protocol/index.js'
import { KitMarkdown } from '../message/KitMarkdown.js'
import { LongText } from '../tool-call-card/LongText.js'

/** Props of `Preview`. */
export interface PreviewProps {
  /** What the asking side says the call would do: a command, a file, an edit, a plan. */
  readonly preview: JsonValue | undefined
  /** The tool's name, which stands above. */
  readonly tool: string
  /** Shown alone when the preview says nothing that can be shown, and folded when it does. */
  readonly children: (hasPreview: boolean) => ReactNode
}

/** What a call would do, in the shape people know it. */
export function Preview({ preview, tool, children }: PreviewProps): ReactElement {
  const fields = isJsonObject(preview) ? preview : {}
  const lines = readLines(fields['edit_context'])
  const read = (name: string): string => textOf(fields[name])
  const path = read('path') || read('file_path')
  const code = read('command') || read('content_preview')
  const plan = read('plan_content')
  const summary = read('summary').trim()
  const what = read('command') || path
  // A sentence that only repeats what stands here anyway is no news.
  const isNews = ![tool, ''].includes(summary) && (what === '' || !summary.includes(what))
  const hasPreview = lines.length > 0 || (path || code || plan) !== ''
  return (
    <>
      {isNews ? <bdi>{summary}</bdi> : null}
      {path === '' ? null : <code className="as-code">{path}</code>}
      {lines.length > 0 ? (
        <EditLines lines={lines} />
      ) : code === '' ? null : (
        <LongText text={code} />
      )}
      {plan === '' ? null : <KitMarkdown text={plan} isStreaming={false} />}
      {children(hasPreview)}
    </>
  )
}

/** A sign before each line says what becomes of it; the colour only repeats that. */
function EditLines({ lines }: { readonly lines: readonly string[] }): ReactElement {
  return (
    <pre className="as-code as-edit-lines" data-as-part="edit-lines">
      {lines.map((line, index) => (
        // Lines of one edit never move, and may repeat.
        <span key={index} data-change={line.charAt(0)}>{`${line}\n`}</span>
      ))}
    </pre>
  )
}

const parts = { before: ' ', old: '-', new: '+', after: ' ' }

function readLines(edit: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(edit)) return []
  return Object.entries(parts).flatMap(([part, sign]) => {
    const value = edit[part]
    const lines = typeof value === 'string' ? value.split('\n') : value
    return Array.isArray(lines)
      ? lines.map((line) => `${sign} ${textOf(isJsonObject(line) ? line['content'] : line)}`)
      : []
  })
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
