import { describe, expect, it } from 'vitest'
import { ask, isRecord } from './liveService.js'
import { compareShapes, ourShapes, theirShapes } from './shapes.js'

/** What the package asks of the service, with the parameters it sends. */
const REQUESTS: readonly (readonly [method: string, path: string, parameters: string[]])[] = [
  ['post', '/chat/', []],
  ['get', '/sessions/', ['agent_id']],
  ['post', '/sessions/', []],
  ['get', '/sessions/{session_id}/stream', ['agent_id']],
  ['get', '/sessions/{session_id}/messages', ['agent_id', 'before', 'limit']],
  ['get', '/sessions/{session_id}/status', ['agent_id']],
  ['post', '/sessions/{session_id}/interrupt', ['agent_id']],
  ['get', '/agent/', []],
]

describe("the service's own schemas", () => {
  it('hold no event, block, field, kind of value or word that our types lack', async () => {
    const report = compareShapes(theirShapes(await ask('GET', '/live/schemas')), ourShapes())
    print('The service has, our types lack', report.unknownToUs)
    print('Our types have, the service lacks', report.oursAlone)
    expect(report.unknownToUs).toEqual([])
  })

  it('have every request that the package makes, with its parameters', async () => {
    const { paths } = await ask('GET', '/openapi.json')
    const known = REQUESTS.map(([method, path, wanted]) => {
      const names = parameterNames(paths, path, method)
      print(
        `${method.toUpperCase()} ${path}: parameters not used by the package`,
        without(names, wanted),
      )
      return [method, path, wanted.filter((name) => names.includes(name))]
    })
    expect(known).toEqual(REQUESTS)
  })
})

function parameterNames(paths: unknown, path: string, method: string): readonly string[] {
  const route = isRecord(paths) ? paths[path] : undefined
  const operation = isRecord(route) ? route[method] : undefined
  if (!isRecord(operation)) throw new Error(`The service has no ${method} ${path}.`)
  const parameters: unknown = operation['parameters'] ?? []
  if (!Array.isArray(parameters)) return []
  return parameters
    .filter(isRecord)
    .filter((one) => one['in'] === 'query')
    .map((one) => String(one['name']))
}

function without(names: readonly string[], wanted: readonly string[]): readonly string[] {
  return names.filter((name) => !wanted.includes(name))
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`${title}: ${lines.length === 0 ? 'nothing' : ''}\n`)
  for (const line of lines) process.stdout.write(`  ${line}\n`)
}
