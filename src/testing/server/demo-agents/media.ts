import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

/** Temperatures of a week, drawn as bars. */
export function chartPng(values: readonly number[]): Uint8Array {
  const [width, height, gap] = [480, 220, 12]
  const bar = width / values.length
  const most = Math.max(...values)
  return png(width, height, (x, y) => {
    const index = Math.floor(x / bar)
    const top = height - ((values[index] ?? 0) / most) * (height - 24)
    const isBar = x - index * bar > gap / 2 && x - index * bar < bar - gap / 2 && y > top
    if (isBar) return [91, 106, 201]
    return y % 44 === 0 ? [222, 224, 233] : [247, 248, 251]
  })
}

/** A river at dusk, seen from a hill. */
export function duskPng(): Uint8Array {
  const [width, height] = [480, 270]
  return png(width, height, (x, y) => {
    const hill = 190 + 18 * Math.sin(x / 60) + 9 * Math.sin(x / 23)
    const river = 222 + 6 * Math.sin(x / 40)
    if (y > river) return [70 + y / 8, 88 + y / 8, 140]
    if (y > hill) return [44, 47, 77]
    if ((x - 340) ** 2 + (y - 132) ** 2 < 34 ** 2) return [255, 232, 190]
    const sky = y / height
    return [96 + 159 * sky, 108 + 70 * sky, 178 - 40 * sky]
  })
}

/** A short melody, as a streamed wav: the header says that its length is not known. */
export function melodyWav(): readonly Uint8Array[] {
  const rate = 8000
  const notes = [392, 440, 494, 587, 494, 587]
  const samples = Math.floor(rate * 0.28)
  const header = Buffer.alloc(44)
  header.write('RIFF\xff\xff\xff\xffWAVEfmt ', 0, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data\xff\xff\xff\xff', 36, 'latin1')
  const tones = notes.map((frequency) => {
    const tone = Buffer.alloc(samples * 2)
    for (let at = 0; at < samples; at += 1) {
      const loudness = 0.25 * Math.sin((Math.PI * at) / samples)
      const wave = Math.sin((2 * Math.PI * frequency * at) / rate)
      tone.writeInt16LE(Math.round(32_767 * loudness * wave), at * 2)
    }
    return tone
  })
  return [header, ...tones]
}

/** A table as a file. */
export function salesCsv(): Uint8Array {
  const rows = ['region,quarter,sales', 'West,Q1,34120', 'West,Q2,36080', 'North,Q1,30210']
  return Buffer.from(`${rows.join('\n')}\n`)
}

/** A picture without a palette or filters: small enough, and valid. */
function png(width: number, height: number, colorAt: (x: number, y: number) => Color): Uint8Array {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows.set(colorAt(x, y).map(Math.floor), y * (width * 3 + 1) + 1 + x * 3)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
