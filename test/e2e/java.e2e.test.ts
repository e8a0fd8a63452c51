import { describe, expect, it } from 'vitest'
import type { DemoPage } from './DemoPage.js'
import { demoSite } from './demoSite.js'

// The demo on the Java side of the agent server: the built page, a real browser.

const open = demoSite()

const choice = (demo: DemoPage, name: string) => demo.page.getByRole('radio', { name, exact: true })

/** The last parts of the addresses that the page asks for something of a conversation, in order. */
function watchPaths(demo: DemoPage): string[] {
  const paths: string[] = []
  demo.page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/[/](java|stream|chat)[/]?/.test(pathname)) paths.push(pathname.replace('/java/', ''))
  })
  return paths
}

describe('the demo on AgentScope Java', () => {
  it('asks, is answered after a reload, and goes on', async () => {
    const demo = await open()
    await choice(demo, 'Java').check()
    await demo.page.waitForURL('**language=java**')
    expect(await choice(demo, 'Polling').count()).toBe(0)
    const paths = watchPaths(demo)
    await demo.say('Send Ana an email')
    await demo.button('Allow once').waitFor()
    await demo.page.reload()
    await demo.button('Allow once').click()
    await demo.text('Ana will have it in a minute').waitFor()
    await demo.untilIdle()
    expect(await choice(demo, 'Java').isChecked()).toBe(true)
    await demo.say('What time is it?')
    await demo.text(/It is .*\d\d:\d\d where you are/).waitFor()
    await demo.untilIdle()
    const posts = paths.filter((path) => !path.endsWith('memory'))
    expect(posts).toEqual(['friday/chat', 'friday/confirm', 'friday/chat', 'friday/external'])
    expect(await demo.violations()).toEqual([])
  })

  it('shows the same conversation over the service', async () => {
    const demo = await open()
    await choice(demo, 'Java').check()
    await demo.say('Plan three days in Lisbon')
    await demo.text('Day three').or(demo.text('Tram 28')).last().waitFor()
    await demo.untilIdle()
    const messages = demo.conversation.locator('[data-as-part="message"] p')
    const live = await messages.allTextContents()
    expect(live.length).toBeGreaterThan(2)
    await choice(demo, 'Python').check()
    await expect.poll(() => messages.allTextContents()).toEqual(live)
  })
})
