/** Joins small chunks. Each chunk has at least `minBytes` bytes, except for the last one. */
export async function* joinChunks(source: AsyncIterable<Uint8Array>, minBytes: number): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    length += chunk.length
    if (length < minBytes) continue
    yield waiting.length === 1 ? chunk : Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}
