/** What was JSON is not any more: its first half, and a bracket that nothing closes. */
export async function* breakJson(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const whole = await readWhole(body)
  yield Buffer.concat([whole.subarray(0, Math.ceil(whole.length / 2)), Buffer.from('{')])
}

/** All of a body. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
