import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'

/** The demo in one tab of a browser of its own, watched for what must never happen. */
export class DemoPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors on the console, blocked resources, requests that left this machine. */
  readonly problems: string[] = []

  private constructor(page: Page, context: BrowserContext) {
    this.page = page
    this.context = context
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.problems.push(`thrown: ${error.message}`))
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') {
        this.problems.push(`request: ${request.url()}`)
      }
    })
  }

  /** Opens the demo as somebody new. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<DemoPage> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    })
    const demo = await DemoPage.in(context)
    const who = crypto.randomUUID()
    await demo.page.goto(`${url}${url.includes('?') ? '&' : '?'}user=${who}`)
    await demo.composer.waitFor()
    return demo
  }

  /** A new tab of a browser that is open. */
  static async in(context: BrowserContext): Promise<DemoPage> {
    return new DemoPage(await context.newPage(), context)
  }

  /** The field for a message. */
  get composer(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' })
  }

  /** The conversation. */
  get conversation(): Locator {
    return this.page.locator('[data-as-part="agent-chat"]')
  }

  /** Writes a message and sends it with Enter. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  /** A button by its whole name. */
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** Text in the conversation. */
  text(text: string | RegExp): Locator {
    return this.conversation.getByText(text).last()
  }

  /** Waits until nothing runs. */
  async untilIdle(): Promise<void> {
    await this.button('Send').waitFor()
  }

  /** What axe finds. */
  async violations(): Promise<readonly string[]> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
  }
}
