// Deterministic markdown corpora. `mixed` looks like a long assistant answer:
// headings, prose (Latin and CJK), inline code, links, emphasis, nested lists,
// tables, block quotes, and fenced code. `onecode` / `onelist` are a single
// giant block each: the worst case for renderers that memoise per block.

function prng(seed) {
  let s = seed >>> 0
  return () => {
    s = (s + 0x6d2b79f5) >>> 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const EN =
  `agent stream render message tool result token latency browser layout buffer window request
response network schema parser block inline commit state update memory index cache frame queue cursor
session retry abort signal handler worker thread delta append merge order stable prefix suffix tail`.split(
    /\s+/,
  )
const ZH =
  '智能体流式渲染消息工具调用结果的延迟与浏览器布局缓冲区窗口请求响应网络模式解析块级行内提交状态更新内存索引缓存帧队列游标会话重试中止信号线程增量追加合并顺序稳定前缀尾部我们可以在这里看到如何处理长文本'.split(
    '',
  )

export function markdown(size, kind = 'mixed', seed = 7) {
  const r = prng(seed)
  const int = (a, b) => a + Math.floor(r() * (b - a + 1))
  const pick = (a) => a[Math.floor(r() * a.length)]
  const words = (n) => Array.from({ length: n }, () => pick(EN)).join(' ')
  const zh = (n) => Array.from({ length: n }, () => pick(ZH)).join('')
  const inline = () => {
    const k = r()
    if (k < 0.25) return '`' + pick(EN) + '.' + pick(EN) + '()`'
    if (k < 0.45) return `**${words(2)}**`
    if (k < 0.6) return `[${words(2)}](https://example.com/${pick(EN)}/${int(1, 999)})`
    if (k < 0.7) return `*${words(2)}*`
    return words(int(3, 7))
  }
  const sentence = () => {
    const parts = Array.from({ length: int(2, 5) }, inline)
    const s = parts.join(' ')
    return s[0].toUpperCase() + s.slice(1) + '.'
  }
  const para = () => Array.from({ length: int(2, 5) }, sentence).join(' ')
  const cjk = () =>
    Array.from(
      { length: int(2, 4) },
      () =>
        zh(int(12, 40)) +
        (r() < 0.4 ? ' `' + pick(EN) + '` ' : '') +
        (r() < 0.3 ? `**${zh(4)}**` : '') +
        '。',
    ).join('')
  const codeLine = (i) =>
    pick([
      `  const ${pick(EN)}${i} = await ${pick(EN)}.${pick(EN)}(${pick(EN)}, { ${pick(EN)}: ${int(0, 99)} });`,
      `  if (${pick(EN)}.length > ${int(1, 50)}) return "${words(3)}";`,
      `  // ${words(6)}`,
      `  for (const ${pick(EN)} of ${pick(EN)}) { ${pick(EN)}.push(${int(1, 9)}); }`,
    ])
  const code = (n) =>
    '```' +
    pick(['ts', 'python', 'json', 'bash']) +
    `\nfunction ${pick(EN)}() {\n` +
    Array.from({ length: n }, (_, i) => codeLine(i)).join('\n') +
    '\n}\n```'
  const item = () => (r() < 0.2 ? cjk() : sentence())
  const list = (n) => {
    const ord = r() < 0.4
    return Array.from(
      { length: n },
      (_, i) =>
        (ord ? `${i + 1}. ` : '- ') +
        item() +
        (r() < 0.2 ? `\n   - ${item()}\n   - ${item()}` : ''),
    ).join('\n')
  }
  const table = () => {
    const c = int(3, 5)
    const row = (f) => '| ' + Array.from({ length: c }, f).join(' | ') + ' |'
    return [
      row(() => pick(EN)),
      row(() => '---'),
      ...Array.from({ length: int(4, 9) }, () => row(() => (r() < 0.2 ? zh(4) : words(2)))),
    ].join('\n')
  }
  const block = () => {
    const k = r()
    if (k < 0.1) return '#'.repeat(int(2, 3)) + ' ' + words(int(2, 5))
    if (k < 0.42) return para()
    if (k < 0.56) return cjk()
    if (k < 0.74) return list(int(3, 8))
    if (k < 0.82) return table()
    if (k < 0.87) return '> ' + para()
    return code(int(5, 25))
  }

  if (kind === 'onecode')
    return (
      (
        '```ts\n' +
        Array.from({ length: Math.ceil(size / 45) + 10 }, (_, i) => codeLine(i)).join('\n')
      ).slice(0, size - 4) + '\n```'
    )
  if (kind === 'onelist') return list(Math.ceil(size / 60)).slice(0, size)
  if (kind === 'onetable') {
    const row = (f) => '| ' + Array.from({ length: 4 }, f).join(' | ') + ' |'
    return [
      row(() => pick(EN)),
      row(() => '---'),
      ...Array.from({ length: Math.ceil(size / 40) }, () =>
        row(() => (r() < 0.2 ? zh(4) : inline())),
      ),
    ]
      .join('\n')
      .slice(0, size)
  }
  if (kind === 'oneparagraph')
    return Array.from({ length: Math.ceil(size / 50) }, sentence)
      .join(' ')
      .slice(0, size)
  const out = ['# ' + words(4)]
  for (let len = out[0].length; len < size;) {
    const b = block()
    out.push(b)
    len += b.length + 2
  }
  return out.join('\n\n').slice(0, size)
}

// A finished, short chat message (about 150-600 characters).
export function shortMessage(i) {
  const kinds = [
    (s) => markdown(220, 'mixed', s),
    (s) => markdown(420, 'mixed', s),
    (s) => markdown(160, 'mixed', s),
  ]
  return kinds[i % 3](1000 + i)
}
