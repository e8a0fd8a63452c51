import type { AgentScript, Cue, Scene } from '../../index.js'
import { hint } from '../../index.js'
import { stampNow } from '../stampNow.js'
import { cleanScene, fixScene, logScene, testsScene } from './coderScenes.js'
import {
  bookingScene,
  emailScene,
  filesScene,
  plainScene,
  showcaseScene,
  spokenScene,
  storyScene,
  timeScene,
  tripScene,
} from './fridayScenes.js'
import { gardenNotes } from './gardenNotes.js'
import { catalogueScene, contractScene, workerScene, salesScene } from './leadScenes.js'
import { compressionScene, flakyScene, planScene, questionScene } from './taskScenes.js'

/** What is said, and the scene it calls for; the first that fits is played. */
const SCENES: readonly (readonly [words: RegExp, scene: (cue: Cue) => Scene])[] = [
  [/\b(gift|present|questions?)\b/i, questionScene],
  [/\b(migrat\w+|proposal|propose)\b/i, planScene],
  [/\b(ferry|flaky)\b/i, flakyScene],
  [/\b(minutes|compress\w*)\b/i, compressionScene],
  [/\b(researcher|helper|mulch|garden)\b/i, workerScene],
  [/\b(sales|region|background)\b/i, salesScene],
  [/\b(catalogue|orchid|search)\b/i, catalogueScene],
  [/\b(contract|summar\w+|again|fail)\b/i, contractScene],
  [/\b(fix|bug|patch)\b/i, fixScene],
  [/\btests?\b/i, testsScene],
  [/\b(log|build|output)\b/i, logScene],
  [/\b(clean|branch\w*|delete|remove)\b/i, cleanScene],
  [/\b(trip|lisbon|weather|plan)\b/i, tripScene],
  [/\b(time|clock|date)\b/i, timeScene],
  [/\b(e-?mail|mail|letter)\b/i, emailScene],
  [/\b(book|table for|dinner|reserve)\b/i, bookingScene],
  [/\b(aloud|speak|voice|audio|sound)\b/i, spokenScene],
  [/\b(files?|video|film|attach\w*)\b/i, filesScene],
  [/\b(story|long)\b/i, storyScene],
  [/\b(markdown|write|style|format\w*|everything)\b/i, showcaseScene],
]

function perform(cue: Cue): Scene {
  const found = cue.isContinue
    ? catalogueScene
    : (SCENES.find(([words]) => words.test(cue.text))?.[1] ?? plainScene)
  const scene = found(cue)
  const isFirst = cue.messages.every(({ role }) => role !== 'assistant')
  return isFirst ? { ...scene, steps: [runtimeState(), ...scene.steps] } : scene
}

/** What an agent is told about the world before its first answer. */
function runtimeState(): Scene['steps'][number] {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const words = `The time is ${stampNow().slice(0, 19)}, the time zone ${zone}. What was said earlier about either is outdated.`
  const wrapped = `<system-reminder>${words}</system-reminder>`
  return hint('System', 'Runtime State', wrapped)
}

/** The agents of the demo. Any of them plays any scene; between them they show every feature. */
export const demoAgents: readonly AgentScript[] = [
  {
    id: 'friday',
    name: 'Friday',
    systemPrompt: 'You help with the small things of the day.',
    perform,
    sessions: () => [{ name: 'Notes from the garden', messages: gardenNotes() }],
  },
  { id: 'coder', name: 'Coder', systemPrompt: 'You write and mend programs.', perform },
  { id: 'lead', name: 'Lead', systemPrompt: 'You lead a small team.', perform },
]
