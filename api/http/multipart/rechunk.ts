/**
 * Splits a stream into chunks of one size. The last chunk can be smaller. All chunks use the same buffer, so that a chunk is valid
 * only until the next one is requested.
 */
export async function* rechunk(stream: AsyncIterable<Buffer>, sizeBytes: number): AsyncIterable<Buffer> {
  const buffer = Buffer.allocUnsafe(sizeBytes)
  let filled = 0
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(buffer, filled, from)
      from += copied
      filled += copied
      if (filled < sizeBytes) continue
      yield buffer
      filled = 0
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}
