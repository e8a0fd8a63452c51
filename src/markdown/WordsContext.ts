'use client'

import { createContext } from 'react'
import type { Context } from 'react'
import { englishMarkdownWords } from '../i18n/index.js'
import type { MarkdownWords } from '../i18n/index.js'

/** Carries the sentences to parts deep inside rendered markdown, so that kept elements survive a change of language. */
export const WordsContext: Context<MarkdownWords> = createContext(englishMarkdownWords)
