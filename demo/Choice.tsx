import type { ReactElement } from 'react'

/** Props of `Choice`. */
export interface ChoiceProps<Value extends string> {
  /** What is chosen. */
  readonly legend: string
  /** Whether the legend is shown; screen readers hear it in any case. */
  readonly isLegendShown?: boolean
  /** The values, in the order in which they are offered, and what each is called. */
  readonly options: Readonly<Record<Value, string>>
  /** The one that is chosen. */
  readonly value: Value
  /** The person chose another one. */
  readonly onChange: (value: Value) => void
}

/** A few options side by side, one of them chosen. */
export function Choice<Value extends string>(props: ChoiceProps<Value>): ReactElement {
  const { legend, isLegendShown = false, options, value, onChange } = props
  return (
    <fieldset className="demo-choice">
      <legend className={isLegendShown ? undefined : 'as-sr-only'}>{legend}</legend>
      <div>
        {keysOf(options).map((option) => (
          <label key={option}>
            <input
              type="radio"
              name={legend}
              checked={value === option}
              onChange={() => onChange(option)}
            />
            <span>{options[option]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The cast is needed because TypeScript takes an object's keys for any text. */
function keysOf<Value extends string>(options: Readonly<Record<Value, string>>): readonly Value[] {
  return Object.keys(options) as Value[]
}
