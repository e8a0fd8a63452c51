// What an app gets from dist/. `npm test` builds it first.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const modules = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'object'
    ? [{ name: join(manifest.name, path), path, file: join(target.default) }]
    : [],
)

/** Names that stay, by entry point. */
const promised = {
  '.': ['AgentChat', 'Markdown', 'useAgentStream'],
  './core': [
    'EventType',
    'UserMsg',
    'agentServiceBackend',
    'appendEvent',
    'applyEvents',
    'createConversation',
    'createSseParser',
    'getTextContent',
    'parseEvent',
    'recordingBackend',
  ],
  './auto': ['decodeFrames'],
  './java': ['javaDialect', 'parseJavaMessages'],
  './task-api': ['parseTaskApiMessages', 'taskApiDialect'],
  './hooks': ['applyEvents', 'createChatStore', 'useAgentStream'],
  './journal': ['indexedDbJournal'],
  './testing': ['createScenario', 'scriptedBackend', 'text', 'toolCall'],
  './testing/server': ['createAgentServer', 'createFaultProxy'],
} satisfies Record<
  Exclude<keyof typeof manifest.exports, './styles.css' | './package.json'>,
  string[]
>

/** What an entry point may load besides the package's own files. */
const allowedImports: Record<keyof typeof promised, RegExp> = {
  '.': /^(?!node:)/,
  './core': /^$/,
  './auto': /^$/,
  './java': /^$/,
  './task-api': /^$/,
  './hooks': /^(react|react\/jsx-runtime|@tanstack\/react-query|zustand(\/[\w/]+)?)$/,
  './journal': /^idb$/,
  './testing': /^$/,
  './testing/server': /^(node:|ws$)/,
}

describe('the built package', () => {
  it.each(modules)('$name can be imported by plain Node, which then ends by itself', ({ name }) => {
    const code = `console.log(JSON.stringify(Object.keys(await import('${name}'))))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(JSON.parse(output)).toEqual(expect.arrayContaining(namesPromisedBy(name)))
  })

  it.each(modules)('$name loads only the packages that are its own', ({ file, path }) => {
    const allowed = Object.entries(allowedImports).find(([entry]) => entry === path)?.[1]
    const foreign = [...packagesBehind(file)].filter((name) => allowed?.test(name) !== true)
    expect(foreign).toEqual([])
  })

  it("says 'use client' in exactly the files whose source does", () => {
    const sources = sourceFiles().map((path) => ({
      built: join('dist', path.replace(/[.]tsx?$/, '.js')),
      isClient: isClient(join('src', path)),
    }))
    const built = sources.filter((source) => existsSync(source.built))
    const clients = built.filter((source) => source.isClient).map((source) => source.built)
    expect(clients.length).toBeGreaterThan(0)
    expect(built.map((source) => source.built).filter((path) => isClient(path))).toEqual(clients)
  })

  it('loads in a React server, where hooks and components are references', () => {
    const entries = [manifest.name, `${manifest.name}/hooks`, `${manifest.name}/core`]
    const args = ['--conditions=react-server', 'test/package/reactServer.mjs', ...entries]
    const [ui, hooks, core] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    expect(ui).toMatchObject({ AgentChat: 'client', useAgentStream: 'client' })
    expect(hooks).toMatchObject({ useAgentStream: 'client', createChatStore: 'function' })
    expect(Object.values(core)).not.toContain('client')
  })

  it.each(['nodenext', 'bundler'])('compiles in a strict %s app', (resolution) => {
    const project = `test/consumers/tsconfig.${resolution}.json`
    const { stdout } = spawnSync('node_modules/.bin/tsc', ['-p', project], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })
})

function namesPromisedBy(name: string): string[] {
  const found = Object.entries(promised).find(([path]) => join(manifest.name, path) === name)
  return found?.[1] ?? ['(an entry point without promises in this test)']
}

function sourceFiles(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /[.]tsx?$/.test(path) && !path.endsWith('.d.ts'),
  )
}

function isClient(path: string): boolean {
  return /^\s*['"]use client['"]/.test(readFileSync(path, 'utf8'))
}

/** The bare names that a built file and all files it imports import. */
function packagesBehind(entry: string): Set<string> {
  const packages = new Set<string>()
  const seen = new Set([entry])
  for (const file of seen) {
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      if (fileName.startsWith('.')) seen.add(join(dirname(file), fileName))
      else packages.add(fileName)
    }
  }
  return packages
}
