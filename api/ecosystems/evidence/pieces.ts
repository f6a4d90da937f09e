/**
 * The same bytes in pieces of one size; the last one is what is left. A piece is good until the next one is asked for: there
 * is one buffer for all of them, however small what comes is.
 */
export async function* piecesOf(stream: AsyncIterable<Buffer>, sizeBytes: number): AsyncIterable<Buffer> {
  const piece = Buffer.allocUnsafe(sizeBytes)
  let filled = 0
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(piece, filled, from)
      from += copied
      filled += copied
      if (filled < sizeBytes) continue
      yield piece
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}
