/**
 * A set of words that the wire may extend: the known ones are suggested, others are legal.
 * A newer server's word is kept as it came, so that what we hold equals what is stored; code that shows it falls back.
 */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>)
