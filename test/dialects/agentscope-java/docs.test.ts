// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const CONTROLLER = 'test/live-java/spring/src/main/java/com/example/chat/AgentController.java'

describe('docs/java.md', () => {
  it('shows the controller that is compiled and played against', () => {
    const [, code = ''] = readFileSync('docs/java.md', 'utf8').split('```java\n')
    expect(code.split('```')[0]).toBe(readFileSync(CONTROLLER, 'utf8'))
  })
})
