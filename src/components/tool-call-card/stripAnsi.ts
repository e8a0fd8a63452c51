// Colours and cursor moves, titles and links, single escapes. The two control characters are built, as they cannot be seen in source.
const escape = String.fromCharCode(27)
const bell = String.fromCharCode(7)
const ansi = new RegExp(
  `${escape}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)?|[@-Z\\\\-_])`,
  'g',
)

/**
 * Takes a terminal's colour and cursor codes out of a text.
 *
 * @param text - A command's output as it came.
 */
export function stripAnsi(text: string): string {
  return text.includes(escape) ? text.replace(ansi, '') : text
}
