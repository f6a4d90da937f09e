import { didWebDocumentUrl } from '../../formats/did.ts'
import { type ResolvedDidDocument, readDidDocument } from '../../formats/did-document-read.ts'
import { FormatError } from '../../formats/format-error.ts'
import { isLoopbackHost } from '../../outbound/check-outbound-url.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import { bodyText } from '../../outbound/text-of.ts'
import { DidError } from './did-error.ts'

export interface FetchedDocument {
  document: ResolvedDidDocument
  bytes: number
}

/** Time limit of a fetch, from the DNS lookup to the last byte. */
const fetchTimeoutMs = 3_000
const maxDocumentBytes = 100_000

/**
 * Fetches the document of a did:web from its host (did:web, section 3.2). Does not follow redirects, because only the host itself may
 * publish the document. In development, uses http for hosts of this machine. Throws DidError `unreachable` and `invalid_document`.
 */
export async function fetchDidWebDocument(
  { outbound, allowLoopback }: { outbound: Outbound; allowLoopback: boolean },
  did: string,
): Promise<FetchedDocument> {
  const url = new URL(didWebDocumentUrl(did))
  if (allowLoopback && isLoopbackHost(url.hostname)) url.protocol = 'http:'
  const body = await readAnswer(outbound, url.href)
  try {
    return { document: readDidDocument(JSON.parse(bodyText(body)), did), bytes: body.length }
  } catch (error) {
    if (error instanceof SyntaxError) throw new DidError('invalid_document', 'it is not JSON')
    if (error instanceof FormatError) throw new DidError('invalid_document', error.message, { cause: error })
    throw error
  }
}

async function readAnswer(outbound: Outbound, url: string): Promise<Buffer> {
  try {
    const { status, body } = await outbound.request({
      method: 'GET',
      url,
      headers: { accept: 'application/did+json, application/did+ld+json, application/json' },
      timeoutMs: fetchTimeoutMs,
      maxResponseBytes: maxDocumentBytes,
    })
    if (status !== 200) throw new DidError('unreachable', `its host answered ${status}`)
    return body
  } catch (error) {
    if (error instanceof OutboundError) throw new DidError('unreachable', error.message, { cause: error })
    throw error
  }
}
