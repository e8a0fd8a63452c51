import { useState } from 'react'

/** How the page looks: as the system says, or as the person says. */
export type Theme = 'system' | 'light' | 'dark'

const themes = ['system', 'light', 'dark'] as const satisfies readonly Theme[]

const KEY = 'demo:theme'

/** The theme the person chose; it is remembered. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme)
  return [
    theme,
    (chosen) => {
      localStorage.setItem(KEY, chosen)
      setTheme(chosen)
    },
  ]
}

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return themes.find((theme) => theme === stored) ?? 'system'
}
