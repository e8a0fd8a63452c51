import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const dist = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url))

export default defineConfig({
  plugins: [react()],
  resolve: {
    // The kit as it is published, with one React for all.
    alias: [
      { find: 'agentscope-react/styles.css', replacement: dist('styles.css') },
      { find: /^agentscope-react\/(.+)$/, replacement: dist('entries/$1.js') },
      { find: /^agentscope-react$/, replacement: dist('entries/index.js') },
    ],
    dedupe: ['react', 'react-dom', '@tanstack/react-query'],
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: 'esnext',
    chunkSizeWarningLimit: 1e5,
    reportCompressedSize: false,
    modulePreload: false,
  },
})
