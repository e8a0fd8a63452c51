import { fileURLToPath } from 'node:url'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumArgs, findBrowser } from './scripts/browser.mjs'

// Without a browser the other projects still run; those that need one fail with Playwright's message.
const executablePath = await findBrowser().catch(() => undefined)
const launchOptions = { args: chromiumArgs, ...(executablePath ? { executablePath } : {}) }

/** What a browser test may import, told ahead: a dependency found midway reloads the page and fails the test. */
const browserDependencies = [
  '@tanstack/react-query',
  '@testing-library/jest-dom/vitest',
  '@testing-library/react',
  '@testing-library/user-event',
  'axe-core',
  'mdast-util-gfm',
  'micromark-core-commonmark',
  'micromark-extension-gfm',
  'react',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  'react-dom/server',
  'react-markdown',
  'zustand',
  'zustand/vanilla',
]

/** A new object on each call, since Vitest writes the project's name into it. */
const chromium = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  api: { host: '127.0.0.1' },
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' as const }],
})

const react18 = (name: string) =>
  fileURLToPath(new URL(`./test/react18/node_modules/${name}`, import.meta.url))

const jsdom = { environment: 'jsdom', setupFiles: 'test/setup.ts' }

// Projects that start a Chromium run one after another (groupOrder): two at once starve each other. The others use both
// cores of a small machine, which Vitest alone would not.
const side = { maxWorkers: '100%' }

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...jsdom,
          ...side,
          name: 'unit',
          env: { EXPECT_REACT: '19' },
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            '**/node_modules/**',
            'test/{browser,consumers,e2e,gates,live,live-java,package}/**',
          ],
        },
      },
      {
        extends: true,
        resolve: {
          // Testing Library's CommonJS main would require React 19 behind the alias's back: take its ES module.
          mainFields: ['module', 'main'],
          alias: [
            { find: /^react(?=$|\/)/, replacement: react18('react') },
            { find: /^react-dom(?=$|\/)/, replacement: react18('react-dom') },
          ],
        },
        test: {
          ...jsdom,
          ...side,
          name: 'react18',
          env: { EXPECT_REACT: '18' },
          include: [
            'test/reactLane.test.tsx',
            'test/{store,queries,hooks,markdown,components}/**/*.test.{ts,tsx}',
          ],
          // Laws and costs are long, and about our own code rather than about React's.
          exclude: ['**/node_modules/**', '**/*.{laws,cost}.test.{ts,tsx}'],
          // A package that imports react outside of Vite would get React 19 from Node.
          server: {
            deps: {
              inline: [
                /@testing-library\/react/,
                /@tanstack\/react-query/,
                /react-markdown/,
                /zustand/,
              ],
            },
          },
        },
      },
      {
        extends: true,
        optimizeDeps: { include: browserDependencies },
        test: {
          name: 'browser',
          sequence: { groupOrder: 1 },
          include: ['test/browser/**/*.browser.test.{ts,tsx}'],
          setupFiles: ['test/setup.browser.ts'],
          testTimeout: 30_000,
          browser: chromium(),
        },
      },
      {
        extends: true,
        plugins: [storybookTest({ configDir: '.storybook' })],
        optimizeDeps: { include: browserDependencies },
        test: {
          name: 'stories',
          sequence: { groupOrder: 2 },
          testTimeout: 30_000,
          browser: chromium(),
        },
      },
      // The last three read dist/, demo-dist/ and storybook-static/, which scripts/test.mjs builds first.
      {
        test: {
          ...side,
          name: 'package',
          environment: 'node',
          sequence: { groupOrder: 3 },
          include: ['test/package/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...side,
          name: 'gates',
          environment: 'node',
          sequence: { groupOrder: 3 },
          include: ['test/gates/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          sequence: { groupOrder: 4 },
          include: ['test/e2e/**/*.e2e.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
