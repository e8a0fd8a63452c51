const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/**
 * Writes a number of bytes in the reader's language ("1.2 MB").
 *
 * @param bytes - How many.
 * @param locale - Language tag.
 */
export function formatBytes(bytes: number, locale: string): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  })
  return format.format(bytes / 1000 ** step)
}

/**
 * How many bytes base64 stands for.
 *
 * @param data - Base64, padded or not.
 */
export function bytesOfBase64(data: string): number {
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4)
}
