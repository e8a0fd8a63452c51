// The gate of the house: who may import whom (.dependency-cruiser.mjs), doors that only list names, and
// 'use client' where React code stands. `node scripts/walls.mjs [folder]` checks another copy of the project.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import ts from 'typescript'

const project = fileURLToPath(new URL('..', import.meta.url))
process.chdir(resolve(process.argv[2] ?? project))

const problems = [...(await importProblems()), ...sourceProblems()]
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1

async function importProblems() {
  const options = await extractDepcruiseOptions(join(project, '.dependency-cruiser.mjs'))
  const folders = ['src', 'stories', 'demo'].filter((name) => readdirSync('.').includes(name))
  const { output } = await cruise(folders, options, undefined, {
    tsConfig: extractTSConfig(join(project, 'tsconfig.json')),
  })
  if (typeof output === 'string') return [`Unexpected report: ${output}`]
  const { totalCruised, totalDependenciesCruised = 0, violations } = output.summary
  // With a compiler it does not know, dependency-cruiser finds no module and is content.
  if (totalCruised === 0 || totalDependenciesCruised === 0) return ['No module was looked at.']
  process.stdout.write(`${totalCruised} modules, ${totalDependenciesCruised} imports\n`)
  return violations.map(({ from, to, rule, cycle }) => {
    const way = cycle ? cycle.map(({ name }) => name).join(' -> ') : to
    return `${rule.name}: ${from} -> ${way}`
  })
}

function sourceProblems() {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /[.]tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .toSorted()
    .flatMap((path) => problemsOf(join('src', path)))
}

/** @param {string} path */
function problemsOf(path) {
  const text = readFileSync(path, 'utf8')
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const isDoor = basename(path) === 'index.ts' || path.startsWith(join('src', 'entries'))
  // React's server build has no createContext either.
  const isReact = /[.]tsx$|^use[A-Z]/.test(basename(path)) || /\bcreateContext\b/.test(text)
  const [first] = statements
  const isClient =
    first !== undefined &&
    ts.isExpressionStatement(first) &&
    ts.isStringLiteral(first.expression) &&
    first.expression.text === 'use client'

  const found = []
  if (isDoor && !statements.every((statement) => isListOfNames(statement))) {
    found.push(`door-lists-names: ${path} may only hold export { … } from '…'`)
  }
  if (isReact && !isClient) found.push(`use-client: ${path} does not start with 'use client'`)
  if (!isReact && isClient && !/^src.(components|hooks|markdown)./.test(path)) {
    found.push(`use-client: ${path} says 'use client' but holds no hook or component`)
  }
  if (isDoor && isClient) found.push(`use-client: ${path} is a door and says 'use client'`)
  return found
}

/** @param {ts.Statement} statement */
function isListOfNames(statement) {
  return (
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier !== undefined &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
  )
}
