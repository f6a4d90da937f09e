import { Readable } from 'node:stream'
import { createTransferLimiter, type TransferLimiter, untilStalled } from '../../http/transfers.ts'

const maxPerTenant = 4
/** A reader takes a chunk of about 100 KB in this time. */
const stalledMs = 30_000

/** Limits concurrent downloads of results. */
export function createDownloadLimiter(): TransferLimiter {
  const message = `At most ${maxPerTenant} results of a tenant can be downloaded at the same time. Try again after another download has ended.`
  return createTransferLimiter({ maxPerTenant, maxTotal: 40, message, reason: 'downloads' })
}

/** Streams chunks to a client, as one of the downloads of the tenant. Reads the next chunk when the client has received those before. */
export function downloadOf(
  chunks: AsyncIterable<Buffer>,
  { downloads, tenantId }: { downloads: TransferLimiter; tenantId: string },
): Readable {
  const end = downloads.begin(tenantId)
  const stream: Readable = Readable.from(
    untilStalled(chunks, () => stream, stalledMs),
    { objectMode: false },
  )
  return stream.once('close', end)
}
