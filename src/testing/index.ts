export { createRandom } from './createRandom.js'
export type { Random } from './createRandom.js'
