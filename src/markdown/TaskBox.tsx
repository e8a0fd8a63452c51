'use client'

import { useContext } from 'react'
import type { ComponentPropsWithoutRef, ReactElement } from 'react'
import type { ExtraProps } from 'react-markdown'
import { WordsContext } from './WordsContext.js'

/** The box of a task-list item. It shows a state and cannot be changed, so it says which. */
export function TaskBox({
  node: _node,
  ...props
}: ComponentPropsWithoutRef<'input'> & ExtraProps): ReactElement {
  const words = useContext(WordsContext)
  return (
    <input
      {...props}
      className="as-md-task"
      aria-label={props.checked === true ? words.taskDone : words.taskOpen}
      readOnly
    />
  )
}
