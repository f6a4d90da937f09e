import { Readable } from 'node:stream'
import { createTransferLimiter, type TransferLimiter, untilStalled } from '../../http/transfers.ts'

const maxPerTenant = 4
/** A reader takes a piece of at most `pieceBytes` in this time. */
const stalledMs = 30_000
const pieceBytes = 100_000

/** Limits concurrent downloads of results and of the data of people. */
export function createDownloadLimiter(): TransferLimiter {
  const message = `A tenant can have at most ${maxPerTenant} downloads of results and of people's data at the same time. Try again after another download has ended.`
  return createTransferLimiter({ maxPerTenant, maxTotal: 40, message, reason: 'downloads' })
}

/** Begins a download of a tenant. Streams chunks to the client, and reads the next chunk when the client has received those before. */
export function beginDownload(downloads: TransferLimiter, tenantId: string, chunks: AsyncIterable<Buffer>): Readable {
  const end = downloads.begin(tenantId)
  const stream: Readable = Readable.from(
    untilStalled(piecesOf(chunks), () => stream, stalledMs),
    { objectMode: false },
  )
  return stream.once('close', end)
}

async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
}
