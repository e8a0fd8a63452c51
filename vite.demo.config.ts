import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The demo imports `agentscope-react` by name, which the manifest's exports lead to dist/: build that first.
export default defineConfig({
  root: 'demo',
  base: './',
  plugins: [react()],
  build: {
    outDir: '../demo-dist',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1000,
  },
})
