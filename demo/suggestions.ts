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

const none: readonly string[] = []

/** Suggestions for an agent; none for one of a real service. */
export function suggestionsFor(agentId: string): readonly string[] {
  return byAgent[agentId] ?? none
}
