import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

// The package by its public name, through its own exports map: what an app would get.
const { resolve } = createRequire(import.meta.url)

export default defineConfig({
  resolve: {
    alias: {
      'agentscope-react/core': resolve('agentscope-react/core'),
      'agentscope-react/hooks': resolve('agentscope-react/hooks'),
      'agentscope-react/testing/server': resolve('agentscope-react/testing/server'),
    },
  },
  test: {
    name: 'live',
    include: ['test/live/*.live.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One service and one browser on a small machine: files take turns.
    fileParallelism: false,
  },
})
