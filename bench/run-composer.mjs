// Keystrokes in the composer while answers stream into a long conversation: from the key to the paint that shows it.
// Usage: node run-composer.mjs [--counts=10,10000] [--streams=5] [--rate=100] [--keys=100] [--only=kit-chat,kit-chat-all]
import { args, browser, open, quantile, serve } from './lib.mjs'

const a = args({
  counts: '10,10000',
  streams: '5',
  rate: '100',
  keys: '100',
  only: 'kit-chat,kit-chat-all',
})
const server = await serve()
const b = await browser()
process.stdout.write(
  '| thread | messages | key to paint p50 ms | p95 | max | DOM changes in settled messages |\n|---|---|---|---|---|---|\n',
)
for (const n of a.counts.split(',').map(Number)) {
  for (const name of a.only.split(',')) {
    const s = await open(b, server.url)
    await s.page.evaluate((o) => window.bench.threadPrepare(o), { name, n })
    await s.page.evaluate(() => window.bench.threadMount())
    await s.page.evaluate((o) => window.bench.startStreams(o), {
      streams: Number(a.streams),
      rate: Number(a.rate),
    })
    await s.page.focus('textarea')
    for (let key = 0; key < Number(a.keys); key += 1) {
      await s.page.keyboard.press('abcdefgh '[key % 9])
      await s.page.waitForTimeout(70)
    }
    const { keys, settled } = await s.page.evaluate(() => window.bench.stopStreams())
    const f = (x) => Math.round(x * 10) / 10
    process.stdout.write(
      `| ${name} | ${n} | ${f(quantile(keys, 0.5))} | ${f(quantile(keys, 0.95))} | ${f(Math.max(...keys))} | ${settled} |${s.page.errors[0] ?? ''}\n`,
    )
    await s.close()
  }
}
await b.close()
server.close()
