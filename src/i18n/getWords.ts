import { en } from './en.js'
import type { Words, WordsOverrides } from './Words.js'
import { zh } from './zh.js'

/**
 * The words for a language, with an app's own in place of some.
 *
 * @param locale - A language tag such as `zh-CN`; only its language counts, and an unknown one gives English.
 * @param overrides - Single words to replace, by place. A place named here keeps its other words.
 */
export function getWords(locale = 'en', overrides?: WordsOverrides): Words {
  const base = /^zh\b/i.test(locale) ? zh : en
  if (overrides === undefined) return base
  return {
    conversation: { ...base.conversation, ...overrides.conversation },
    actions: { ...base.actions, ...overrides.actions },
    thinking: { ...base.thinking, ...overrides.thinking },
    tool: { ...base.tool, ...overrides.tool },
    confirm: { ...base.confirm, ...overrides.confirm },
    media: { ...base.media, ...overrides.media },
    hint: { ...base.hint, ...overrides.hint },
    notice: { ...base.notice, ...overrides.notice },
    composer: { ...base.composer, ...overrides.composer },
    units: { ...base.units, ...overrides.units },
    markdown: { ...base.markdown, ...overrides.markdown },
  }
}
