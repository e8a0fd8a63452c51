'use client'
import { useMemo } from 'react'
import type { ReactElement } from 'react'
import { parseToolInput } from '../../hooks/index.js'
import { isJsonObject } from '../../protocol/index.js'
import type { JsonValue } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { isFaithful } from './isFaithful.js'
import { LongText } from './LongText.js'

/** Props of `ToolInput`. */
export interface ToolInputProps {
  /** The arguments as raw JSON text, as far as they are written. */
  readonly input: string
  /** Whether more may come: what is incomplete is then no mistake. */
  readonly isOpen: boolean
}

const SHORT_LENGTH = 60

/** Every argument of a tool call. Where parsing would show something other than what was written, the raw text is shown. */
export function ToolInput({ input, isOpen }: ToolInputProps): ReactElement | null {
  const { tool } = useChatUi().words
  const parsed = useMemo(() => parseToolInput(input, isOpen), [input, isOpen])
  switch (parsed.kind) {
    case 'empty':
      return isOpen ? null : <p className="as-quiet">{tool.noInput}</p>
    case 'partial':
      return <Arguments value={parsed.value} raw={parsed.raw} />
    case 'invalid':
      return (
        <>
          <p className="as-quiet as-invalid" data-as-part="invalid-input">
            <Icon name="warning" />
            {tool.invalidInput}
          </p>
          <LongText text={parsed.raw} />
        </>
      )
    case 'json':
      return isFaithful(input, parsed.value) ? (
        <Arguments value={parsed.value} raw={input} />
      ) : (
        <LongText text={input} />
      )
  }
}

function Arguments({
  value,
  raw,
}: {
  readonly value: unknown
  readonly raw: string
}): ReactElement {
  const { tool } = useChatUi().words
  if (!isJsonObject(value)) return <LongText text={raw} />
  const fields = Object.entries(value)
  if (fields.length === 0) return <p className="as-quiet">{tool.noInput}</p>
  return (
    <dl className="as-fields">
      {fields.map(([name, content]) => (
        <div key={name} className="as-field">
          <dt>
            <code className="as-code">{name}</code>
          </dt>
          <dd>
            <Argument value={content} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Argument({ value }: { readonly value: JsonValue }): ReactElement {
  const line = typeof value === 'string' ? value : JSON.stringify(value)
  if (line.length <= SHORT_LENGTH && !line.includes('\n')) {
    return <code className="as-code">{line === '' ? '""' : line}</code>
  }
  return <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
}
