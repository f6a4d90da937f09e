import {
  type FailReason,
  type FailReasonType,
  type IntegrationFormat,
  loteFormat,
} from '../../shared/domain/ecosystems/integrations.ts'
import type { OutboundResponse } from '../../shared/outbound/exchange.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import { OutboundError } from '../../shared/outbound/outbound-error.ts'

export type FetchedList = { bytes: Buffer; etag?: string } | { isUnchanged: true } | { failed: FailReason }

/** The maximum size of a list, compressed or not. The largest list in use has 60 KB. */
const maxBytes = 16_000_000
/** The timeout from the DNS lookup to the last byte. */
const timeoutMs = 30_000
const maxRedirects = 3
const acceptCbor = 'application/cbor, application/cwt, application/octet-stream;q=0.9, */*;q=0.8'
const acceptJws = 'application/jose, application/jwt, application/json;q=0.9, */*;q=0.8'

/**
 * Fetches a list through the outbound guard. `etag` is that of the last valid list. Error messages do not contain the URL, because it can
 * contain secrets.
 */
export async function fetchList(
  outbound: Outbound,
  { url, format, etag }: { url: string; format: IntegrationFormat; etag: string | undefined },
): Promise<FetchedList> {
  try {
    const answer = await outbound.request({
      ...{ method: 'GET', url, timeoutMs, maxResponseBytes: maxBytes, maxRedirects },
      headers: {
        accept: format === loteFormat ? acceptJws : acceptCbor,
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
    })
    if (answer.status === 304 && etag !== undefined) return { isUnchanged: true }
    if (answer.status !== 200)
      return failed(
        'FetchFailed',
        `The server of the list answered ${answer.status}. Check the URL, or ask the publisher.`,
      )
    return { bytes: answer.body, ...etagIn(answer.headers) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.reason === 'too_large') return tooLarge()
    return failed('FetchFailed', `${error.message}. Check the URL, or ask the publisher.`)
  }
}

/** RFC 9110, section 8.8.3. An entity tag with other characters cannot be sent back and is ignored. */
function etagIn({ etag }: OutboundResponse['headers']): { etag?: string } {
  return typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]{0,250}"$/.test(etag) ? { etag } : {}
}

function tooLarge(): FetchedList {
  return failed('TooLarge', `The list is larger than ${maxBytes / 1_000_000} MB. Check the URL.`)
}

function failed(type: FailReasonType, message: string): FetchedList {
  return { failed: { type, message } }
}
