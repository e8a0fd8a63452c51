/** Something a scripted agent waits at until the test lets it on. */
export interface Gate {
  /** What the script waits for. */
  readonly passed: Promise<void>
  /** Lets it on. */
  open(): void
}

export function createGate(): Gate {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
