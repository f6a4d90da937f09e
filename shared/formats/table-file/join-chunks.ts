/** Joins small chunks. Each chunk has at least `minBytes` bytes, except for the last one. */
export async function* joinChunks(source: AsyncIterable<Uint8Array>, minBytes: number): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    length += chunk.length
    if (length < minBytes) continue
    yield joined(waiting, length)
    waiting = []
    length = 0
  }
  if (length > 0) yield joined(waiting, length)
}

/** A browser has no `Buffer.concat`. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
