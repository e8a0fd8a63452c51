/** Gives what is made its ids and times. */
export interface Marks {
  /** A new id. */
  id(): string
  /** The time now as the service writes it, local and without a zone: never twice the same, never going back. */
  stamp(): string
}
