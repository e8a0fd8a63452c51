import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** All names that an entry point lists, values and types. */
function namesOf(entry: string): readonly string[] {
  const source = readFileSync(`src/entries/${entry}.ts`, 'utf8')
  const lists = source.matchAll(/export (?:type )?\{([^}]*)\} from/g)
  return [...lists].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
}

describe('agentscope-react/hooks', () => {
  it('has every name of agentscope-react/core, and each once', () => {
    const core = namesOf('core')
    const hooks = namesOf('hooks')
    expect(core.length).toBeGreaterThan(100)
    expect(core.filter((name) => !hooks.includes(name))).toEqual([])
    expect(hooks.filter((name, index) => hooks.indexOf(name) !== index)).toEqual([])
  })

  it('has the hooks, the store and the queries', () => {
    expect(namesOf('hooks')).toEqual(
      expect.arrayContaining([
        'AgentStreamProvider',
        'useAgentStream',
        'createChatStore',
        'sessionsQuery',
      ]),
    )
  })
})
