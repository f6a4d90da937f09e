import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FailReason, FailReasonType } from '../../shared/domain/ecosystems/integrations.ts'
import type { OutboundResponse } from '../../shared/outbound/exchange.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'

export type FetchedList = { bytes: Buffer; etag?: string } | { isUnchanged: true } | { failed: FailReason }

/** Of a list, packed or not. The largest that is published today has 60 KB. */
const mostBytes = 16_000_000
/** For everything, from looking the host up to the last byte. */
const withinMs = 30_000
const mostRedirects = 3

/** A list from its server, through the guard. `etag` is what its last good answer had. What is wrong is told without the URL, which may hold secrets. */
export async function fetchList(outbound: Outbound, url: string, etag?: string): Promise<FetchedList> {
  try {
    const answer = await outbound.request({
      ...{ method: 'GET', url, timeoutMs: withinMs, maxResponseBytes: mostBytes, maxRedirects: mostRedirects },
      headers: {
        accept: 'application/cbor, application/cwt, application/octet-stream;q=0.9, */*;q=0.8',
        'accept-encoding': 'gzip',
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
    })
    if (answer.status === 304 && etag !== undefined) return { isUnchanged: true }
    if (answer.status !== 200)
      return failed('FetchFailed', `Its server answered ${answer.status}. Check the URL, or ask its publisher`)
    return await unpacked(answer)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.reason === 'too_large') return tooLarge()
    return failed('FetchFailed', `${error.message}. Check the URL, or ask its publisher`)
  }
}

async function unpacked({ headers, body }: OutboundResponse): Promise<FetchedList> {
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  const etag = etagIn(headers)
  if (coding === 'identity') return { bytes: body, ...etag }
  if (coding !== 'gzip' && coding !== 'x-gzip')
    return failed('FetchFailed', 'Its server packs it in a way that was not asked for. Ask its publisher')
  try {
    return { bytes: await gunzipBytes(body, { maxOutputLength: mostBytes }), ...etag }
  } catch (error) {
    if (error instanceof RangeError) return tooLarge()
    return failed('FetchFailed', 'What its server sent in gzip cannot be unpacked. Ask its publisher')
  }
}

/** RFC 9110, section 8.8.3, in characters that can be sent back. */
function etagIn({ etag }: OutboundResponse['headers']): { etag?: string } {
  return typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]{0,250}"$/.test(etag) ? { etag } : {}
}

const gunzipBytes: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(gunzip)

function tooLarge(): FetchedList {
  return failed('TooLarge', `It is larger than ${mostBytes / 1_000_000} MB. Check the URL`)
}

function failed(type: FailReasonType, message: string): FetchedList {
  return { failed: { type, message } }
}
