// `npm start`: a working chat on a fresh clone. Installs and builds what is missing or stale, starts the agent server
// with its scripted agents and serves the demo. Settings, by environment:
//   PORT            where the demo is served; by default 5173, or the next one that is free
//   AGENTSCOPE_URL  the address of a real AgentScope service to talk to, in place of the scripted agents
//   AGENTSCOPE_USER who asks there (X-User-ID); by default `demo`
//   AGENT_PACE      how fast the scripted agents are: 1 as a model would write (default), 0 at once
import { installPackages } from './install.mjs'

/** @type {(() => Promise<void>)[]} */
const closers = []

try {
  installPackages()
  const { buildWhenStale } = await import('./build.mjs')
  buildWhenStale()
  const { serveDemo } = await import('./serveDemo.mjs')
  const config = await findService()
  const port = process.env['PORT'] ? Number(process.env['PORT']) : undefined
  const demo = await serveDemo({ config, ...(port === undefined ? {} : { port }) })
  closers.push(() => demo.close())
  process.stdout.write(
    `Agents at ${config.url}\n\n  The demo is at ${demo.url}\n\nCtrl+C ends it.\n`,
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
  await close()
}

// npm starts this through a shell. When the two are ended, nobody passes that on.
if (process.env['npm_lifecycle_event'] === 'start') {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    void close()
  }, 500)
  watch.unref()
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, close)

/** @returns {Promise<import('./serveDemo.mjs').DemoConfig>} */
async function findService() {
  const url = process.env['AGENTSCOPE_URL']
  if (url) {
    return {
      url: url.replace(/\/+$/, ''),
      user: process.env['AGENTSCOPE_USER'] || 'demo',
      isBuiltIn: false,
    }
  }
  const { createAgentServer } = await import('../dist/entries/testing-server.js')
  const pace = Number(process.env['AGENT_PACE'] || 1)
  // The same port each time, if it is free: an open page finds the agents again after a restart.
  const server = await createAgentServer({ pace, port: 5273 }).catch(() =>
    createAgentServer({ pace }),
  )
  closers.push(() => server.close())
  return { url: server.url, user: 'demo', isBuiltIn: true }
}

async function close() {
  await Promise.all(closers.splice(0).map((end) => end()))
}
