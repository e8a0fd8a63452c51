import type { JsonObject } from '../../protocol/index.js'
import { readText } from './readField.js'
import { ROOT, type Scope } from './readScope.js'

/** Where nobody speaks. */
const NOWHERE: Scope = { key: 'none', path: [] }

/**
 * Follows the sub-agents of the article (`SUB_AGENT_START`, `SUB_AGENT_END`). What comes between the two of one that has no
 * `source` is its own, unless it names another.
 *
 * @returns Tells whose a frame is, given who it says it is of.
 */
export function createBrackets(): (type: string, frame: JsonObject, said: Scope) => Scope {
  const open: { readonly name: string | undefined; readonly scope: Scope; isOwn: boolean }[] = []
  return (type, frame, said) => {
    const isEdge = type.startsWith('SUB_AGENT_')
    const isOwn = said.key === ''
    const name = readText(frame, 'agentId', 'agentName', ...(isEdge ? ['name'] : []))
    if (type === 'SUB_AGENT_START') {
      const path = [name ?? 'agent']
      const scope = isOwn ? { key: JSON.stringify([path[0], '']), path } : said
      open.push({ name, scope, isOwn })
      return scope
    }
    if (type === 'SUB_AGENT_END') {
      const index = open.findLastIndex(({ scope, ...one }) =>
        isOwn
          ? name === undefined || [one.name, scope.path.at(-1)].includes(name)
          : scope.key === said.key,
      )
      const [ended] = index < 0 ? [] : open.splice(index, 1)
      return ended?.scope ?? (isOwn ? NOWHERE : said)
    }
    if (!isOwn) return said
    const unnamed = open.filter((one) => one.isOwn)
    return (unnamed.findLast((one) => one.name === name) ?? unnamed.at(-1))?.scope ?? ROOT
  }
}
