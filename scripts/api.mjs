// The gate of the public surface: docs/api/<entry>.api.md must say what dist/ declares, and every name and
// member in it must be documented. `--write` renews the reports; `--root <folder>` checks another copy.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
} from '@microsoft/api-extractor'

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, root: { type: 'string', default: '' } },
})
const root = resolve(fileURLToPath(new URL('..', import.meta.url)), values.root)
const reports = join(root, 'docs/api')
const entries = declaredEntries()
const coreNames = new Set(namesOfCore())
/** The same finding comes up in every entry that exports the name. */
const problems = new Set(entries.length > 0 ? [] : ['package.json exports no types'])

mkdirSync(reports, { recursive: true })
const missing = entries.filter((path) => !existsSync(path))
for (const path of missing) problems.add(`${path} is missing: run npm run build`)
if (missing.length === 0 && entries.length > 0) {
  try {
    checkEntries()
  } catch (error) {
    // It breaks off at a declaration that leads nowhere, as after a build with errors.
    problems.add(error instanceof Error ? error.message : String(error))
  }
}
checkLeftovers()

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`${entries.length} entry points, ${problems.size} problems\n`)
if (problems.size > 0) process.exitCode = 1

/** The declaration file of each entry point in the manifest. */
function declaredEntries() {
  /** @type {{ exports: Record<string, string | { types?: string }> }} */
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'object' && target.types ? [join(root, target.types)] : [],
  )
}

/**
 * The vocabulary is exported once, by the core entry point: the small entry points beside it need not repeat it.
 *
 * @param {{ messageId: string, text: string }} message
 */
function isOfCore({ messageId, text }) {
  const name = /symbol "(\w+)"/.exec(text)?.[1]
  return messageId === 'ae-forgotten-export' && name !== undefined && coreNames.has(name)
}

/** The names that the core entry point exports. */
function namesOfCore() {
  const core = entries.find((path) => basename(path) === 'core.d.ts')
  if (core === undefined || !existsSync(core)) return []
  const lists = readFileSync(core, 'utf8').matchAll(/\{([^}]*)\}/g)
  return [...lists].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
}

/** @param {string} entry */
function reportName(entry) {
  return `${basename(entry, '.d.ts')}.api.md`
}

function checkEntries() {
  const configs = entries.map((entry) => configOf(entry))
  const [first] = configs
  if (first === undefined) return
  const compilerState = CompilerState.create(first, { additionalEntryPoints: entries })
  for (const config of configs) {
    const { apiReportChanged } = Extractor.invoke(config, {
      compilerState,
      localBuild: values.write,
      messageCallback: (message) => {
        // Its console messages only say what this script says itself: that a report has changed.
        const isOwn = message.messageId.startsWith('console-')
        if (message.logLevel === ExtractorLogLevel.Error && !isOwn && !isOfCore(message)) {
          problems.add(message.formatMessageWithLocation(root))
        }
        message.handled = true
      },
    })
    if (apiReportChanged && !values.write) {
      problems.add(`docs/api/${basename(config.reportFilePath)} is stale: run npm run api`)
    }
  }
}

/** @param {string} entry */
function configOf(entry) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'ES2022',
            lib: ['ES2023', 'DOM', 'DOM.Iterable'],
            module: 'NodeNext',
            moduleResolution: 'NodeNext',
            jsx: 'react-jsx',
            strict: true,
            skipLibCheck: true,
            types: ['node'],
          },
          files: entries,
        },
      },
      apiReport: {
        enabled: true,
        reportFolder: reports,
        reportTempFolder: join(root, 'temp/api'),
        reportFileName: reportName(entry),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
    },
  })
}

/** A report whose entry point is gone would go on telling of it. */
function checkLeftovers() {
  const expected = new Set(entries.map((entry) => reportName(entry)))
  for (const name of readdirSync(reports)) {
    if (expected.has(name)) continue
    if (values.write) rmSync(join(reports, name))
    else problems.add(`docs/api/${name} belongs to no entry point: run npm run api`)
  }
}
