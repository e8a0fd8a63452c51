import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 49.99rem)')

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Whether the page has no room for the list of conversations beside the conversation. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
