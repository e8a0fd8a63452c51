import type { Words, WordsOverrides } from './Words.js'

/**
 * The words of a language, with an app's own in place of some.
 *
 * @param base - The language: `en`, `zh`, or an app's own.
 * @param overrides - Single words to replace, by place. A place named here keeps its other words.
 */
export function extendWords(base: Words, overrides?: WordsOverrides): Words {
  if (overrides === undefined) return base
  return {
    conversation: { ...base.conversation, ...overrides.conversation },
    actions: { ...base.actions, ...overrides.actions },
    thinking: { ...base.thinking, ...overrides.thinking },
    tool: { ...base.tool, ...overrides.tool },
    confirm: { ...base.confirm, ...overrides.confirm },
    question: { ...base.question, ...overrides.question },
    media: { ...base.media, ...overrides.media },
    hint: { ...base.hint, ...overrides.hint },
    notice: { ...base.notice, ...overrides.notice },
    composer: { ...base.composer, ...overrides.composer },
    units: { ...base.units, ...overrides.units },
    markdown: { ...base.markdown, ...overrides.markdown },
  }
}
