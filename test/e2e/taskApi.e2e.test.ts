import { describe, expect, it } from 'vitest'
import type { DemoPage } from './DemoPage.js'
import { demoSite } from './demoSite.js'

// The demo on the Task API of the agent server: the built page, a real browser.

const open = demoSite()

const choice = (demo: DemoPage, name: string) => demo.page.getByRole('radio', { name, exact: true })

describe('the demo on the Task API', () => {
  it('asks, is answered after a reload, and goes on', async () => {
    const demo = await open('?language=task-api')
    expect(await choice(demo, 'Task API').isChecked()).toBe(true)
    const posts: string[] = []
    demo.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST') posts.push(pathname.replace(/[0-9a-f-]{36}/, '*'))
    })
    await demo.say('Send Ana an email')
    await demo.button('Allow once').waitFor()
    await demo.page.reload()
    await demo.button('Allow once').click()
    await demo.text('Ana will have it in a minute').waitFor()
    await demo.untilIdle()
    // The list of agents told its name.
    await demo.page.getByRole('article', { name: 'Message from Friday' }).waitFor()
    expect(posts.filter((path) => path.startsWith('/task-api'))).toEqual([
      '/task-api/api/tasks',
      '/task-api/api/tool-approvals/*/decision',
    ])
    expect(await demo.violations()).toEqual([])
  })

  it('asks questions, and for a plan', async () => {
    const demo = await open('?language=task-api')
    await demo.say('Help me choose a gift')
    await demo.text('Who is it for?').waitFor()
    expect(await demo.violations()).toEqual([])
    await demo.page.getByRole('radio', { name: 'A parent' }).check()
    await demo.button('Send answer').first().click()
    await demo.page.getByRole('radio', { name: 'Up to 20 €' }).check()
    await demo.button('Send answer').last().click()
    await demo.text('a small plant that is hard to kill').waitFor()
    await demo.text('Answered above').waitFor()
    await demo.untilIdle()
    await demo.say('Propose a migration')
    await demo.button('Approve plan').click()
    await demo.text('14 tables').waitFor()
    await demo.untilIdle()
  })

  it('shows the same conversation over the service', async () => {
    const demo = await open('?language=task-api')
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
