'use client'
import type { ReactElement } from 'react'
import { Button } from './Button.js'

/** Props of `Offers`. */
export interface OffersProps {
  /** What can be done, in words, and the way to do it; undefined where it cannot be done now. */
  readonly offers: readonly (readonly [label: string, onClick: (() => void) | undefined])[]
}

/** Buttons in a sentence, for what can be done about it. */
export function Offers({ offers }: OffersProps): ReactElement {
  return (
    <>
      {offers.map(([label, onClick]) =>
        onClick === undefined ? null : (
          <Button key={label} look="link" onClick={onClick}>
            {label}
          </Button>
        ),
      )}
    </>
  )
}
