import type { ReactElement } from 'react'

const paths = {
  menu: 'M3 5h14M3 10h14M3 15h14',
  plus: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5L5 15',
  service: 'M4 4h12v5H4zM4 11h12v5H4zM7 6.5h.01M7 13.5h.01',
} as const

/** A small drawing beside a word that says the same; not for screen readers. */
export function Icon({ name }: { readonly name: keyof typeof paths }): ReactElement {
  return (
    <svg className="demo-icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
