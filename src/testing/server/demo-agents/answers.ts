/** An answer with everything that markdown can hold. */
export const SHOWCASE = `# A note with everything in it

Text can be **bold**, *slanted*, ~~struck~~ or \`code\`, and it can link to [the AgentScope documentation](https://doc.agentscope.io/). Addresses such as https://example.com/a?b=c work too.

## Lists

1. First soak the beans,
2. then **do something else** for eight hours:
   - read,
   - sleep,
   - or both;
3. then cook them.

- [x] beans
- [ ] patience

## A table

| Bean | Soak | Cook | Note |
|:-----|-----:|-----:|:-----|
| Chickpea | 12 h | 90 min | keeps its shape |
| Black bean | 8 h | 60 min | the water is worth keeping |
| Lentil | none | 25 min | patient people need not apply |

## Code

\`\`\`ts
export function soakingHours(bean: Bean): number {
  // Lentils cannot wait.
  return bean.name === 'lentil' ? 0 : Math.ceil(bean.size * 1.5)
}
\`\`\`

> A recipe is a story that ends with a good meal.

## Other scripts

中文：**豆子**要先泡八个小时，然后用小火慢慢煮。这样煮出来的豆子又软又香。

日本語：豆は一晩水に浸してから、弱火で*ゆっくり*煮ます。

العربية: تُنقع الحبوب **ثماني ساعات** ثم تُطهى على نار هادئة.

A picture from somewhere else is not loaded until you say so: ![A bowl of beans](https://images.example.com/beans.jpg)

---

That is all there is.`

/** What the agent says of a trip. */
export const TRIP = `Lisbon wins this week: **19 °C and dry**, while Porto has rain until Thursday.

| Day | Morning | Afternoon |
|:----|:--------|:----------|
| Tue | Tram 28 before nine, while it is empty | Alfama on foot |
| Wed | Belém: the tower and the monastery | Pastéis, then the river |
| Thu | Day trip to Sintra | Back by seven for the view |

Two things to know:

1. **Tram 28** is a line that people use to get to work. Board at *Martim Moniz*.
2. Sintra's palace sells tickets **for a time slot**; the earliest is the quietest.

Shall I look for a place to stay?`

/** A text long enough to be stopped. */
export const STORY = `The keeper of the lighthouse at Pedra Alta had a green notebook. In it he wrote the name of every ship that passed, and beside each name, one thing that he had noticed.

*Santa Rita — laundry on the rail, all of it blue.*

*Ondine — a dog asleep on the hatch.*

*Unity — nobody on deck. Somebody singing.*

He had kept the book for eleven years when the first letter came. It was from the cook of the *Ondine*. The dog, she wrote, was called Ferro; it had gone ashore in Vigo and not come back, and she wondered whether the keeper, who saw everything that went by, had seen it.

He had not. But he wrote in the notebook that evening, under the date: *a dog called Ferro, anywhere.* And from then on, when a ship came near enough, he raised the signal for a question, and when they answered, he asked.

Most ships thought the lamp was broken. A few understood. The *Unity* answered the next spring, slowly, by lamp, because her radio had drowned in a storm: **black and white, one ear up, belongs to nobody, lives at the fish market in Cascais.**

He wrote to the cook. The cook wrote to Cascais. In June the *Ondine* passed again, close under the rocks, closer than she should have been, and on the hatch lay a dog with one ear up.

That evening the keeper turned to a new page. He wrote the name of the ship, and beside it he wrote nothing at all, because for once he had noticed everything.`

/** What is said of failing tests. */
export const TEST_REPORT = `One of nine tests fails:

\`\`\`text
discounts.test.ts > a discount is never negative
  expected 0, received -3
\`\`\`

\`applyDiscount\` subtracts before it looks whether the price is zero. It needs a lower bound:

\`\`\`diff
- return price - discount
+ return Math.max(0, price - discount)
\`\`\`

Say **fix the bug** and I'll make the change.`

/** A change, as tools report it. */
export const PATCH = `--- a/src/cart/discounts.ts
+++ b/src/cart/discounts.ts
@@ -9,7 +9,7 @@ export function applyDiscount(price: number, discount: number): number {
   if (discount === 0) {
     return price
   }
-  return price - discount
+  return Math.max(0, price - discount)
 }
 
 export function isDiscounted(line: CartLine): boolean {
`

/** A source file with line numbers, as tools show it. */
export const SOURCE = `     7	/** What a customer pays. */
     8	export function applyDiscount(price: number, discount: number): number {
     9	  if (discount === 0) {
    10	    return price
    11	  }
    12	  return price - discount
    13	}
    14	
    15	export function isDiscounted(line: CartLine): boolean {
    16	  return line.discount > 0
    17	}
`

/** The output of a test run that fails; colours and all. */
export const TEST_OUTPUT = `$ vitest run
 \u001b[32m✓\u001b[39m src/cart/total.test.ts (7 tests) 12ms
 \u001b[31m✗\u001b[39m src/cart/discounts.test.ts (2 tests | 1 failed) 9ms
   \u001b[31m× a discount is never negative\u001b[39m
     AssertionError: expected -3 to be +0
 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 8 passed (9)
`

/** A long log. */
export function buildLog(): string {
  const packages = ['core', 'ui', 'icons', 'forms', 'charts', 'docs']
  const lines = Array.from({ length: 240 }, (_, index) => {
    const name = packages[index % packages.length] ?? 'core'
    const seconds = (index * 0.07).toFixed(2).padStart(6, '0')
    const task = index % 7 === 0 ? 'bundle' : index % 3 === 0 ? 'types' : 'compile'
    return `[${seconds}] ${name.padEnd(7)} ${task.padEnd(8)} src/${name}/module${index}.ts`
  })
  const warning = 'warning: src/charts/axis.ts(41): a comparison is always false'
  return [
    ...lines.slice(0, 130),
    warning,
    ...lines.slice(130),
    'Built 6 packages in 16.8 s',
    '',
  ].join('\n')
}
