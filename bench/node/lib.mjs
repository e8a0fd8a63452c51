/** The middle value. */
export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
/** Three digits that count. */
export const fmt = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)
/** The package's built entry points. */
export const entry = (name) => import(new URL(`../../dist/entries/${name}.js`, import.meta.url))
/** `--name=value` of the command line. */
export const options = Object.fromEntries(
  process.argv.slice(2).map((argument) => argument.replace(/^--/, '').split('=')),
)
