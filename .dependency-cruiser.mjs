// The walls between the rooms of src/, enforced by scripts/walls.mjs.

/**
 * Every room, with the rooms it may import (through their doors) and the packages it may use.
 *
 * @type {Record<string, { rooms: string[], packages: string[] }>}
 */
const house = {
  protocol: { rooms: [], packages: [] },
  fold: { rooms: ['protocol'], packages: [] },
  dialects: { rooms: ['protocol'], packages: [] },
  transports: { rooms: ['protocol'], packages: [] },
  backends: { rooms: ['transports', 'dialects', 'protocol'], packages: [] },
  journal: { rooms: ['protocol'], packages: ['idb'] },
  store: { rooms: ['fold', 'protocol'], packages: ['zustand/(esm/)?vanilla'] },
  queries: { rooms: ['protocol'], packages: ['@tanstack/react-query'] },
  hooks: {
    rooms: ['store', 'queries', 'fold', 'protocol'],
    packages: ['react', 'zustand', '@tanstack/react-query'],
  },
  policy: { rooms: [], packages: [] },
  i18n: { rooms: [], packages: [] },
  markdown: {
    rooms: ['policy', 'i18n'],
    packages: [
      'react',
      'react-markdown',
      'mdast-util-gfm',
      'micromark-core-commonmark',
      'micromark-extension-gfm',
    ],
  },
  components: {
    rooms: ['hooks', 'markdown', 'policy', 'i18n', 'protocol'],
    packages: ['react', 'react-dom'],
  },
  styles: { rooms: [], packages: [] },
  testing: { rooms: ['dialects', 'protocol'], packages: [] },
}

/** The part of `testing` that runs in Node; it has a door of its own. */
const SERVER = '^src/testing/server/'
const DOOR = '^src/([^/]+|testing/server)/index[.]ts$'
const BAD_NAME = '(^|/)(utils?|helpers?|common|shared|types?)(/|[.][^/]+$)'

/** @param {string[]} names */
const anyOf = (names) => `(${names.join('|')})`
const rooms = Object.keys(house)
const anyRoom = `^src/${anyOf([...rooms, 'entries'])}/`

/**
 * What one room may not import.
 *
 * @param {[string, { rooms: string[], packages: string[] }]} entry
 * @returns {import('dependency-cruiser').IForbiddenRuleType[]}
 */
function wallsOf([room, { rooms: friends, packages }]) {
  const from = `^src/${room}/`
  return [
    {
      name: `${room}-imports-rooms`,
      comment: `${room}/ may import ${friends.join(', ') || 'no other room'}.`,
      severity: 'error',
      from: { path: from },
      to: { path: '^src/', pathNot: `^src/${anyOf([room, ...friends])}/` },
    },
    {
      name: `${room}-imports-packages`,
      comment: `${room}/ may use ${packages.join(', ') || 'no package'}.`,
      severity: 'error',
      from: { path: from, pathNot: SERVER },
      to: {
        path: 'node_modules/',
        ...(packages.length > 0
          ? { pathNot: `node_modules/(@types/)?${anyOf(packages)}([.]m?js$|[.]d[.]m?ts$|/)` }
          : {}),
      },
    },
  ]
}

/** @type {import('dependency-cruiser').IConfiguration} */
const walls = {
  forbidden: [
    ...Object.entries(house).flatMap((entry) => wallsOf(entry)),
    {
      name: 'through-the-door',
      comment: "Another room's names come from its index.ts, never from a file behind it.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/', pathNot: ['^src/$1/', DOOR] },
    },
    {
      name: 'server-behind-its-door',
      comment: 'testing/ runs in browsers: it does not import testing/server.',
      severity: 'error',
      from: { path: '^src/testing/', pathNot: SERVER },
      to: { path: SERVER },
    },
    {
      name: 'server-through-the-door',
      comment: 'testing/server uses testing/ through its index.ts.',
      severity: 'error',
      from: { path: SERVER },
      to: { path: '^src/testing/', pathNot: [SERVER, DOOR] },
    },
    {
      name: 'server-packages',
      comment: 'testing/server may use ws and what Node brings.',
      severity: 'error',
      from: { path: SERVER },
      to: { path: 'node_modules/', pathNot: 'node_modules/(@types/)?ws/' },
    },
    {
      name: 'entries-import-doors',
      comment: 'An entry point re-exports what doors offer, and nothing else.',
      severity: 'error',
      from: { path: '^src/entries/' },
      to: { pathNot: DOOR },
    },
    {
      name: 'entries-are-the-end',
      comment: 'Nothing in src/ imports an entry point.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/entries/' },
    },
    {
      name: 'browser-code',
      comment: 'Only testing/server may use modules of Node.',
      severity: 'error',
      from: { path: '^src/', pathNot: SERVER },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'inside-the-house',
      comment: 'src/ imports nothing of the repository outside src/.',
      severity: 'error',
      from: { path: '^src/' },
      to: { pathNot: ['^src/', 'node_modules/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'css-has-its-own-entry',
      comment: 'A module that imports css breaks plain Node; styles/index.css is the entry.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '[.]css$' },
    },
    {
      name: 'no-cycles',
      comment: 'Also not through type imports.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...[
      { from: { path: `^src/.*${BAD_NAME}` }, to: {} },
      { from: {}, to: { path: `^src/.*${BAD_NAME}` } },
    ].map((rule) => ({
      name: 'telling-names',
      comment: 'No utils, helpers, common, shared or types: a file is named after its main export.',
      severity: /** @type {const} */ ('error'),
      ...rule,
    })),
    ...[
      { from: { path: '^src/', pathNot: anyRoom }, to: {} },
      { from: {}, to: { path: '^src/', pathNot: anyRoom } },
    ].map((rule) => ({
      name: 'known-rooms',
      comment: 'A new folder under src/ needs its line in the table above.',
      severity: /** @type {const} */ ('error'),
      ...rule,
    })),
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file and it imports nothing.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '[.]d[.]ts$' },
      to: {},
    },
    {
      name: 'stories-use-doors',
      comment: 'A story shows what an app can write.',
      severity: 'error',
      from: { path: '^stories/' },
      to: { path: '^src/', pathNot: [DOOR, '^src/entries/', '[.]css$'] },
    },
    {
      name: 'demo-is-an-app',
      comment: 'The demo imports the package by its public name.',
      severity: 'error',
      from: { path: '^demo/' },
      to: { path: ['^src/', '^test/', '^stories/'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: '^test/react18/node_modules/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'module', 'browser', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}

export default walls
