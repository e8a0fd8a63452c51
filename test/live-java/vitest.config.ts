import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'live-java',
    include: ['test/live-java/*.live.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    fileParallelism: false,
  },
})
