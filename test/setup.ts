// Runs before each file of the unit and react18 projects, in jsdom or (by file comment) in plain Node.
import '@testing-library/jest-dom/vitest'
import { version } from 'react'
import { afterAll, afterEach, beforeAll } from 'vitest'

const expected = process.env['EXPECT_REACT']
if (expected === undefined || !version.startsWith(`${expected}.`)) {
  throw new Error(
    `This lane tests React ${expected ?? '(unset)'}, but React ${version} was loaded.`,
  )
}

if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react')
  beforeAll(() => Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true))
  afterEach(cleanup)
  // What one test leaves unsent is not the next one's.
  afterEach(() => sessionStorage.clear())
  afterAll(() => Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false))
}
