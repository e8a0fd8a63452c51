import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const manifest: unknown = JSON.parse(
  readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
)

/** Names under one key of the manifest, such as `dependencies`. */
function namesUnder(key: string): string[] {
  if (typeof manifest !== 'object' || manifest === null) return []
  const group: unknown = Reflect.get(manifest, key)
  return typeof group === 'object' && group !== null ? Object.keys(group) : []
}

const external = [...namesUnder('peerDependencies'), ...namesUnder('dependencies')]

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    cssCodeSplit: true, // a css entry needs it
    lib: {
      entry: {
        'entries/index': 'src/entries/index.ts',
        'entries/core': 'src/entries/core.ts',
        'entries/auto': 'src/entries/auto.ts',
        'entries/java': 'src/entries/java.ts',
        'entries/task-api': 'src/entries/task-api.ts',
        'entries/hooks': 'src/entries/hooks.ts',
        'entries/journal': 'src/entries/journal.ts',
        'entries/testing': 'src/entries/testing.ts',
        'entries/testing-server': 'src/entries/testing-server.ts',
        styles: 'src/styles/index.css',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      // A constant written out where it is used would leave an import of nothing behind, which bundlers warn of.
      optimization: { inlineConst: false },
      external: (id) =>
        id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
      // One output file per source file: tree shaking works, and 'use client' stays where it was written.
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
  },
})
