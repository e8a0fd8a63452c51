'use client'
import { useEffect, useLayoutEffect } from 'react'

/** `useLayoutEffect` in a browser; on a server, where React 18 would warn about it, an effect that never runs. */
export const useClientLayoutEffect: typeof useLayoutEffect =
  typeof document === 'undefined' ? useEffect : useLayoutEffect
