'use client'

import { cloneElement, isValidElement, useContext, useState } from 'react'
import type { ComponentPropsWithoutRef, ReactElement, ReactNode } from 'react'
import type { ExtraProps } from 'react-markdown'
import { CopyButton } from './CopyButton.js'
import { createCodeChunks } from './createCodeChunks.js'
import { WordsContext } from './WordsContext.js'

/** The `pre` of a code block. */
export interface CodeBlockProps extends ComponentPropsWithoutRef<'pre'>, ExtraProps {}

/**
 * A code block: a line with its language and a copy button, then the code, left to right, in its own scrollable box that the
 * keyboard reaches.
 */
export function CodeBlock({ node: _node, children, ...props }: CodeBlockProps): ReactElement {
  const words = useContext(WordsContext)
  const [chunksOf] = useState(createCodeChunks)
  const { className = '', code, element } = readCode(children)
  const language = /(?:^|\s)language-(\S+)/.exec(className)?.[1] ?? ''
  return (
    <div className="as-md-code" dir="ltr">
      <div className="as-md-code-head">
        <span className="as-md-code-language">{language}</span>
        <CopyButton text={code} />
      </div>
      <pre {...props} role="group" aria-label={words.codeBlock(language)} tabIndex={0}>
        {element?.type === 'code' ? cloneElement(element, {}, chunksOf(code)) : children}
      </pre>
    </div>
  )
}

interface CodeProps {
  readonly className?: string
  readonly children?: ReactNode
}

function readCode(children: ReactNode): {
  className?: string
  code: string
  element?: ReactElement<CodeProps>
} {
  if (!isValidElement<CodeProps>(children)) return { code: '' }
  const { className, children: code } = children.props
  return {
    ...(className === undefined ? {} : { className }),
    code: typeof code === 'string' ? code : '',
    element: children,
  }
}
