/** Every sentence the markdown room shows or says. */
export interface MarkdownWords {
  /** On the button in place of an image that has not been allowed; `host` is `''` for the app's own. */
  readonly loadImage: (host: string) => string
  /** In place of an image that may never load; `alt` is its description, or `''`. */
  readonly blockedImage: (alt: string) => string
  /** In place of an allowed image that did not arrive; `alt` is its description, or `''`. */
  readonly failedImage: (alt: string) => string
  /** Tells where a link goes. */
  readonly opensHost: (host: string) => string
  /** Copies a code block. */
  readonly copyCode: string
  /** Said and shown after copying. */
  readonly copied: string
  /** Said and shown when the browser refused to copy. */
  readonly copyFailed: string
  /** Name of a code block; `language` is `''` when none was written. */
  readonly codeBlock: (language: string) => string
  /** Name of the scrollable box around a table. */
  readonly table: string
  /** Heading of the footnotes, for screen readers. */
  readonly footnotes: string
  /** Name of the arrow from a footnote back to the text; `number` counts from 1, `repeat` is 1 for its first mention. */
  readonly backToReference: (number: number, repeat: number) => string
  /** Name of a ticked box in a task list. */
  readonly taskDone: string
  /** Name of an empty box in a task list. */
  readonly taskOpen: string
}

/** The sentences in English. */
export const englishMarkdownWords: MarkdownWords = {
  loadImage: (host) => (host === '' ? 'Load image' : `Load image from ${host}`),
  blockedImage: (alt) => (alt === '' ? 'Blocked image' : `Blocked image: ${alt}`),
  failedImage: (alt) => (alt === '' ? 'Image did not load' : `Image did not load: ${alt}`),
  opensHost: (host) => `Opens ${host}`,
  copyCode: 'Copy code',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  codeBlock: (language) => (language === '' ? 'Code' : `Code, ${language}`),
  table: 'Table',
  footnotes: 'Footnotes',
  backToReference: (number, repeat) =>
    `Back to reference ${number}${repeat > 1 ? `-${repeat}` : ''}`,
  taskDone: 'Done',
  taskOpen: 'Not done',
}
