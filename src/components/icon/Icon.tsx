'use client'
import type { ReactElement } from 'react'

/** Strokes on a grid of 16 by 16. Ours, so that no icon library is needed. */
const paths = {
  ask: 'M5.5 9V4.5m2.5 4v-6m2.5 6v-5M13 6v4.5a3.5 3.5 0 0 1-6.5 2L3 8.5',
  arrowDown: 'M8 3v10m0 0 4-4m-4 4L4 9',
  arrowUp: 'M8 13V3m0 0L4 7m4-4 4 4',
  attach:
    'm13 7.5-5 5a3.2 3.2 0 0 1-4.5-4.5l5.3-5.3a2.1 2.1 0 0 1 3 3L6.6 11a1 1 0 0 1-1.5-1.5l4.6-4.6',
  bell: 'M4 7a4 4 0 0 1 8 0c0 3 1.2 4 1.2 4H2.8S4 10 4 7m2.7 6.5a1.5 1.5 0 0 0 2.6 0',
  check: 'm3.5 8.5 3 3 6-7',
  chevron: 'm6 4 4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 5v3.2l2 1.3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 2.5h-8v8',
  cross: 'm4 4 8 8m0-8-8 8',
  dash: 'M4 8h8',
  download: 'M8 2.5V10m0 0 3-3m-3 3L5 7M3 13.5h10',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  pencil: 'm10.5 3 2.5 2.5L6 12.5l-3 .5.5-3z',
  plug: 'M5.5 2.5v3m5-3v3m-6 0h7v2a3.5 3.5 0 0 1-7 0zM8 11v2.5',
  question:
    'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M6.3 6.5a1.7 1.7 0 1 1 2.5 1.4c-.5.3-.8.6-.8 1.2m0 2h0',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4m3 7.2 3.2 3.2',
  spark:
    'M8 2.2c.5 3.4 2.2 5.1 5.6 5.8C10.2 8.6 8.5 10.3 8 13.8 7.5 10.3 5.8 8.6 2.4 8 5.8 7.3 7.5 5.6 8 2.2',
  spinner: 'M8 2.5A5.5 5.5 0 1 1 2.5 8',
  stop: 'M5 5h6v6H5z',
  terminal: 'm3 5 3 3-3 3m5 0h5',
  tool: 'M13 5.2a3.2 3.2 0 0 1-4.2 3L4.5 12.5a1.1 1.1 0 0 1-1.6-1.6l4.3-4.3a3.2 3.2 0 0 1 4-4.1L9.3 4.4l.4 1.9 1.9.4L13.3 5',
  warning: 'M8 3 2.5 13h11zM8 6.5V9m0 2h0',
  world:
    'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M2.7 8h10.6M8 2.5c3 3 3 8 0 11M8 2.5c-3 3-3 8 0 11',
} satisfies Record<string, string>

/** The name of an icon. */
export type IconName = keyof typeof paths

/**
 * A picture beside a word, hidden from assistive technology; `spinner` turns.
 *
 * Data attributes: `data-icon` = its name, `data-turns` on the spinner.
 */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg
      className="as-icon"
      data-icon={name}
      data-turns={name === 'spinner' ? '' : undefined}
      viewBox="0 0 16 16"
      fill={name === 'stop' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
