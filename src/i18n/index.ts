export type {
  ActionWords,
  ComposerWords,
  ConfirmWords,
  ConversationWords,
  HintWords,
  MarkdownTexts,
  MediaWords,
  NoticeWords,
  ThinkingWords,
  ToolWords,
  UnitWords,
  Words,
  WordsOverrides,
} from './Words.js'
export { en } from './en.js'
export { extendWords } from './extendWords.js'
export { zh } from './zh.js'
