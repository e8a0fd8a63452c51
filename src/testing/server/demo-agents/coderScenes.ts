import type { CallEnd, Scene } from '../../index.js'
import { suggestion, success, text, thinking, toolCall } from '../../index.js'
import { buildLog, PATCH, SOURCE, TEST_OUTPUT, TEST_REPORT } from './answers.js'
import { answerTo } from './fridayScenes.js'

/** A command that asks, with rules to choose from, and fails. */
export function testsScene(): Scene {
  const run = toolCall(
    'call_tests',
    'Bash',
    { command: 'npm test -- --run' },
    {
      needs: 'approval',
      suggestedRules: [suggestion('Bash', 'npm test:*'), suggestion('Bash', 'npm:*')],
      takesMs: 1200,
      outcome: () => ({
        ...success(TEST_OUTPUT, { exit_code: 1, duration_ms: 842 }),
        state: 'error',
      }),
    },
  )
  return {
    steps: [
      { kind: 'model', says: [text('I’ll run the tests.')], calls: [run], usage: [430, 40] },
      {
        kind: 'branch',
        next: (ends) => {
          const words = ends.get('call_tests')?.state === 'denied' ? 'Fine, no tests.' : TEST_REPORT
          return [{ kind: 'model', says: [text(words)], usage: [690, 120, 430] }]
        },
      },
    ],
  }
}

/** Reads, changes after a question, and proves it. */
export function fixScene(): Scene {
  const path = '/home/ana/shop/src/cart/discounts.ts'
  const read = toolCall('call_read', 'Read', { file_path: path, offset: 7, limit: 11 }, SOURCE)
  const patch = toolCall(
    'call_patch',
    'Edit',
    {
      file_path: path,
      old_string: '  return price - discount',
      new_string: '  return Math.max(0, price - discount)',
    },
    {
      needs: 'approval',
      suggestedRules: [suggestion('Edit', '/home/ana/shop/src/**')],
      takesMs: 300,
      outcome: () => success(`Changed ${path} in 1 place.`, { diff: PATCH, file_path: path }),
    },
  )
  const prove = toolCall(
    'call_prove',
    'Bash',
    { command: 'npx vitest run src/cart' },
    { takesMs: 900, outcome: () => success(' ✓ 9 tests in 2 files, 21 ms\n') },
  )
  return {
    steps: [
      {
        kind: 'model',
        says: [
          thinking(
            'The discount must not go below zero. First I read the function, then I change the one line, then I run the tests.',
          ),
          text('Let me read the function.'),
        ],
        calls: [read],
        usage: [510, 70],
      },
      {
        kind: 'model',
        says: [text('One line is missing.')],
        calls: [patch],
        usage: [760, 96, 510],
      },
      { kind: 'branch', next: (ends) => afterPatch(ends.get('call_patch'), prove) },
    ],
  }
}

function afterPatch(
  patch: CallEnd | undefined,
  prove: ReturnType<typeof toolCall>,
): ReturnType<Extract<Scene['steps'][number], { kind: 'branch' }>['next']> {
  if (patch?.state !== 'success') {
    const words =
      'I left the file as it is. The bug is in line 12, should you want to fix it yourself.'
    return [{ kind: 'model', says: [text(words)], usage: [820, 30, 760] }]
  }
  const words = 'Fixed: a discount can no longer make a price negative. **All nine tests pass.**'
  return [
    { kind: 'model', calls: [prove], usage: [860, 28, 760] },
    { kind: 'model', says: [text(words)], usage: [930, 30, 860] },
  ]
}

/** A tool with much to say. */
export function logScene(): Scene {
  const read = toolCall(
    'call_log',
    'Read',
    { file_path: '/home/ana/shop/build.log' },
    { takesMs: 400, outcome: () => success(buildLog()) },
  )
  const words =
    'The build is green. One warning is worth a look: `src/charts/axis.ts`, line 41, compares a string with a number.'
  return {
    steps: [
      { kind: 'model', calls: [read], usage: [300, 30] },
      { kind: 'model', says: [text(words)], usage: [4200, 50, 300] },
    ],
  }
}

/** Something that cannot be undone. */
export function cleanScene(): Scene {
  const command = 'git branch -D spike/charts-2 spike/new-icons fix/typo'
  const remove = toolCall(
    'call_clean',
    'Bash',
    { command },
    {
      needs: 'approval',
      suggestedRules: [],
      takesMs: 500,
      outcome: () => success('Deleted 3 branches.\n', { exit_code: 0 }),
    },
  )
  return {
    steps: [
      {
        kind: 'model',
        says: [text('Three branches are older than a year and merged nowhere.')],
        calls: [remove],
        usage: [350, 60],
      },
      answerTo('call_clean', 'Gone. The reflog keeps them for 90 days.', 'They stay.'),
    ],
  }
}
