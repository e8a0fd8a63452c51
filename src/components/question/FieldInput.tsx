'use client'
import type { ReactElement } from 'react'
import type { FormField } from './readFields.js'

/** Props of `FieldInput`. */
export interface FieldInputProps {
  /** What is asked for. */
  readonly field: FormField
  /** Its name in the form. */
  readonly name: string
}

/** One plain field of a form, with its label. The browser checks what is typed. */
export function FieldInput({ field, name }: FieldInputProps): ReactElement {
  const { kind, label, choices, isRequired } = field
  return (
    <label className="as-question-field" data-kind={kind}>
      <bdi>{label}</bdi>
      {kind === 'select' ? (
        <select name={name} required={isRequired} defaultValue="">
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          type={kind}
          dir={kind === 'text' ? 'auto' : undefined}
          step={kind === 'number' ? 'any' : undefined}
          required={isRequired && kind !== 'checkbox'}
          autoComplete="off"
        />
      )}
    </label>
  )
}
