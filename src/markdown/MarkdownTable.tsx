'use client'

import { useContext } from 'react'
import type { ComponentPropsWithoutRef, ReactElement } from 'react'
import type { ExtraProps } from 'react-markdown'
import { WordsContext } from './WordsContext.js'

/** A table in markdown, in a box of its own that scrolls sideways and that the keyboard reaches. */
export function MarkdownTable({
  node: _node,
  ...props
}: ComponentPropsWithoutRef<'table'> & ExtraProps): ReactElement {
  const words = useContext(WordsContext)
  return (
    <div className="as-md-table" role="group" aria-label={words.table} tabIndex={0}>
      <table {...props} />
    </div>
  )
}
