/** What the runner tells the tests. */
export function required(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(`${name} is not set: these tests are run by "npm run test:live:java".`)
}
