import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { throughJson } from '../fold/script.js'
import { compare, stringsIn, withoutClocks, type Answer, type Finding } from './compare.js'
import { DIFFERENCES } from './differences.js'
import { Oracle } from './Oracle.js'
import { inits, streams, type Stream } from './streams.js'

/** How to run. */
export interface OracleOptions {
  /** Path of a Python that has AgentScope. */
  readonly python: string
  readonly seed: number
  /** How many streams. */
  readonly runs: number
  /** Where a sample is written to, if one is wanted. */
  readonly sample: string | undefined
  readonly say: (line: string) => void
}

/** A run must be this long before a difference that was never met counts as one that is no longer there. */
const ENOUGH_RUNS = 3000
const SAMPLE_BYTES = 290_000

/**
 * Compares our fold with Python's on random streams.
 *
 * @param options - How to run.
 * @returns Whether both agree wherever the table of differences does not say otherwise.
 */
export async function runOracle(options: OracleOptions): Promise<boolean> {
  const { runs, seed, say } = options
  const undocumented = DIFFERENCES.filter(({ name }) => !readTable().includes(`\n| ${name}`))
  if (undocumented.length > 0) {
    say(`docs/fold.md has no row for: ${undocumented.map(({ name }) => name).join('; ')}`)
    return false
  }
  const oracle = await Oracle.start(options.python)
  const versions = Object.entries(oracle.versions).map(
    ([name, version]) => `${name} ${String(version)}`,
  )
  say(`${versions.join(', ')}; node ${process.versions.node}; --seed ${seed} --runs ${runs}`)
  try {
    const { failure, tally } = await search(oracle, runs, seed)
    tell(tally, say)
    if (failure !== undefined) {
      tellFinding(failure, say)
      return false
    }
    const unmet = DIFFERENCES.filter(({ name }) => !tally.met.has(name)).map(({ name }) => name)
    if (unmet.length > 0 && runs >= ENOUGH_RUNS) {
      say(`Never met, so perhaps no longer true: ${unmet.join('; ')}`)
      return false
    }
    if (options.sample !== undefined) await writeSample(oracle, options.sample, seed, say)
    return true
  } finally {
    oracle.stop()
  }
}

function readTable(): string {
  const [, section = ''] = readFileSync('docs/fold.md', 'utf8').split(
    "## Differences from Python's",
  )
  return section.split('\n## ')[0] ?? ''
}

interface Tally {
  streams: number
  events: number
  refused: number
  readonly met: Map<string, number>
}

async function search(
  oracle: Oracle,
  runs: number,
  seed: number,
): Promise<{ failure: readonly [Stream, Finding] | undefined; tally: Tally }> {
  const tally: Tally = { streams: 0, events: 0, refused: 0, met: new Map() }
  let smallest: readonly [Stream, Finding] | undefined
  const property = fc.asyncProperty(streams(6), async (made) => {
    const stream = throughJson(made)
    const { finding, met, refused } = compare(stream, await oracle.fold(stream))
    if (finding !== undefined) {
      smallest = [stream, finding] // Shrinking only ever goes on from a failure: the last one is the smallest.
      return false
    }
    if (smallest !== undefined) return true
    tally.streams += 1
    tally.events += stream.events.length
    tally.refused += refused
    for (const name of met) tally.met.set(name, (tally.met.get(name) ?? 0) + 1)
    return true
  })
  await fc.check(property, { numRuns: runs, seed })
  return { failure: smallest, tally }
}

function tell(tally: Tally, say: (line: string) => void): void {
  say(`${tally.streams} streams, ${tally.events} events, ${tally.refused} refused by Python`)
  say('Differences that docs/fold.md allows:')
  for (const { name } of DIFFERENCES)
    say(`${String(tally.met.get(name) ?? 0).padStart(7)}  ${name}`)
}

function tellFinding(
  [stream, finding]: readonly [Stream, Finding],
  say: (line: string) => void,
): void {
  say(`\nEvent ${finding.at} (${String(finding.event['type'])}): ${finding.problem}`)
  say(`Python: ${finding.refused ?? 'took it'}`)
  say(`init    ${JSON.stringify(stream.init)}`)
  for (const [at, event] of stream.events.slice(0, finding.at + 1).entries()) {
    say(`${at === finding.at ? '>' : ' '} ${JSON.stringify(event)}`)
  }
  say(`ours    ${JSON.stringify(finding.ours)}`)
  say(`Python  ${JSON.stringify(finding.python)}`)
}

/** Writes small streams on which both agree, with Python's message: the README of the vectors says how. */
async function writeSample(
  oracle: Oracle,
  file: string,
  seed: number,
  say: (line: string) => void,
): Promise<void> {
  const lines: string[] = []
  let bytes = 0
  for (const made of fc.sample(streams(2), { numRuns: 3000, seed })) {
    const stream = throughJson(made)
    if (stream.events.length < 2 || stream.events.length > 7) continue
    const answer = await oracle.fold(stream)
    const { finding, met } = compare(stream, answer)
    if (finding !== undefined || met.length > 0) continue
    const line = JSON.stringify(sampled(stream, answer))
    bytes += Buffer.byteLength(line) + 2
    if (bytes > SAMPLE_BYTES) break
    lines.push(line)
  }
  const from = `agentscope ${String(oracle.versions['agentscope'])}, Msg.append_event`
  const head = `{"from":${JSON.stringify(from)},\n"inits":${JSON.stringify(inits)},\n"vectors":[`
  writeFileSync(file, `${head}\n${lines.join(',\n')}\n]}\n`)
  say(`${lines.length} streams written to ${file}`)
}

function sampled(stream: Stream, { init, steps }: Answer): object {
  const last = steps.findLast((step) => step?.message !== undefined)?.message ?? init
  const refused = steps.flatMap((step, at) => (step?.refused === undefined ? [] : [at]))
  const known = stringsIn(stream)
  const before = withoutClocks(init, known)
  const changed = Object.entries(withoutClocks(last, known)).filter(
    ([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)),
  )
  const number = inits.findIndex((one) => isDeepStrictEqual(one, stream.init))
  return { init: number, events: stream.events, refused, expected: Object.fromEntries(changed) }
}
