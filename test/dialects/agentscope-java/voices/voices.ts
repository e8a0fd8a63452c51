import { anyJavaDialect } from '../../../../src/dialects/agentscope-java/anyJavaDialect.js'
import { agentscopeDialect, javaTextDialect } from '../../../../src/dialects/index.js'
import type { JsonObject } from '../../../../src/protocol/index.js'
import { java } from './java.js'
import { article, trimmed, typescript } from './others.js'
import { python } from './python.js'
import { EVERYTHING, type Step, type Voice } from './scenarios.js'
import { flatTask, managed, task } from './services.js'

function toSnake(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      field,
    ]),
  )
}

/** Puts `type` where erasure leaves it: nowhere in blocks. */
function eraseTypes(frames: readonly JsonObject[]): readonly JsonObject[] {
  const json = JSON.stringify(frames, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value)) return value
    const isBlock = /^(tool_use|tool_result|text|image)$/.test(String(value.type))
    const { type: _type, ...rest } = value
    return isBlock ? rest : value
  })
  return JSON.parse(json)
}

function withoutId(frame: JsonObject): JsonObject {
  const { id: _, ...rest } = frame
  return rest
}

function words(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => (step.does === 'say' ? step.pieces : []))
}

function without(...does: readonly Step['does'][]): ReadonlySet<Step['does']> {
  return new Set([...EVERYTHING].filter((one) => !does.includes(one)))
}

const whole = { dialect: anyJavaDialect, speaker: 'Ops', hasModelCalls: true, tells: EVERYTHING }

/** All kinds of senders but the Python service, whose stream is what the others must come to. */
export const voices: readonly Voice[] = [
  { ...whole, name: 'Java (C)', speak: java },
  { ...whole, name: 'Java in snake_case', speak: (steps) => java(steps).map(toSnake) },
  { ...whole, name: 'Java with erased types', speak: (steps) => eraseTypes(java(steps)) },
  {
    ...whole,
    name: 'Java without ids of events',
    speak: (steps) => java(steps).map((frame) => withoutId(frame)),
  },
  {
    ...whole,
    name: 'Python read as Java',
    speak: python('Ops', true),
  },
  {
    ...whole,
    name: 'the TypeScript SDK before 2.0',
    tells: without('interrupt', 'exceed'),
    speak: typescript,
  },
  { ...whole, name: 'the article', tells: without('suspend', 'submit', 'exceed'), speak: article },
  {
    ...whole,
    name: 'trimmed events (B)',
    speaker: '',
    tells: new Set(['think', 'say']),
    hasModelCalls: false,
    speak: (steps) =>
      trimmed(steps).filter(({ type }) => !JSON.stringify(type).startsWith('"MODEL_CALL')),
  },
  {
    name: 'bare text (A)',
    dialect: javaTextDialect,
    speaker: '',
    hasModelCalls: false,
    tells: new Set(['say']),
    speak: words,
  },
  {
    ...whole,
    name: 'data-agent (D)',
    speaker: '',
    hasModelCalls: false,
    tells: new Set(['say', 'fail']),
    speak: (steps) => [
      ...words(steps).map((data) => ({ type: 'token', data })),
      ...steps.flatMap((step) =>
        step.does === 'fail' ? [{ type: 'error', message: step.why }] : [],
      ),
      ...(steps.at(-1)?.does === 'fail' ? [] : [{ type: 'done', sessionKey: 'k' }]),
    ],
  },
  {
    ...whole,
    name: 'a managed session (E)',
    speaker: '',
    tells: without('draw', 'suspend', 'submit', 'exceed'),
    speak: managed,
  },
  { ...whole, name: 'a task with events (H)', speak: task },
  {
    ...whole,
    name: 'a flat task (H)',
    hasModelCalls: false,
    tells: without('deny', 'draw', 'suspend', 'submit', 'exceed'),
    speak: flatTask,
  },
]

/** The stream of the Python service, with as much as a voice tells. */
export function pythonLike({ speaker, hasModelCalls }: Voice): Voice {
  const speak = python(speaker, hasModelCalls)
  return { ...whole, name: 'Python', dialect: agentscopeDialect, speaker, hasModelCalls, speak }
}
