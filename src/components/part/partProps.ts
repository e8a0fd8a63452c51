import { joinClasses } from './joinClasses.js'

interface Styled {
  readonly className?: string | undefined
}

/** What the element of a part gets. */
export type PartProps<Props> = Props & {
  /** The part's name, unless the caller gave another. */
  readonly 'data-as-part': string
  /** The part's class, then the caller's. */
  readonly className: string
}

/**
 * What the element of a part gets: its name, its class, and what the caller gave.
 *
 * @param name - The part's name in kebab-case.
 * @param given - The caller's props.
 * @param ownClass - The element's own class; `as-NAME` by default.
 */
export function partProps<Props extends Styled>(
  name: string,
  given: Props,
  ownClass: string = `as-${name}`,
): PartProps<Props> {
  return { 'data-as-part': name, ...given, className: joinClasses(ownClass, given.className) }
}
