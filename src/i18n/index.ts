export type {
  ActionWords,
  ComposerWords,
  ConfirmWords,
  ConversationWords,
  HintWords,
  MediaWords,
  NoticeWords,
  QuestionWords,
  ThinkingWords,
  ToolWords,
  UnitWords,
  Words,
  WordsOverrides,
} from './Words.js'
export { en } from './en.js'
export { extendWords } from './extendWords.js'
export { zh } from './zh.js'
export { englishMarkdownWords } from './MarkdownWords.js'
export type { MarkdownWords } from './MarkdownWords.js'
