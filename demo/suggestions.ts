import type { Language } from './transports.js'

/** What one may ask the demo's own agents first, by the agent's id. */
const byAgent: Readonly<Record<string, readonly string[]>> = {
  friday: [
    'Plan three days in Lisbon',
    'Send Ana an email about dinner',
    'What time is it where I am?',
    'Write a note with everything in it',
  ],
  coder: [
    'Run the tests',
    'Fix the bug in discounts.ts',
    'Show the build log',
    'Clean up old branches',
  ],
  lead: [
    'Ask the researcher about mulch',
    'Sum the sales by region',
    'Search the catalogue for a white orchid',
    'Summarise the contract',
  ],
}

/** The same where tasks are polled: questions and plans are asked there as such, and tools of the page do not exist. */
const byTaskAgent: typeof byAgent = {
  friday: [
    'Plan three days in Lisbon',
    'Send Ana an email about dinner',
    'Help me choose a gift',
    'Write a note with everything in it',
  ],
  coder: [
    'Run the tests',
    'Fix the bug in discounts.ts',
    'Propose a migration',
    'Show the build log',
  ],
  lead: [
    'Sum the sales by region',
    'When does the ferry leave?',
    'Read the minutes of the choir',
    'Summarise the contract',
  ],
}

const none: readonly string[] = []

/**
 * Suggestions for an agent; none for one of a real service.
 *
 * @param agentId - The agent.
 * @param language - What it is spoken to in.
 */
export function suggestionsFor(agentId: string, language: Language): readonly string[] {
  return (language === 'task-api' ? byTaskAgent : byAgent)[agentId] ?? none
}
