// Runs before each file of the browser project.
import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)
// What one test leaves unsent is not the next one's.
afterEach(() => sessionStorage.clear())
