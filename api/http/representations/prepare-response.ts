import type { IncomingMessage } from 'node:http'
import type { Answer } from './answer.ts'
import { compress } from './compress.ts'
import { entityTag, fitsIfRange, isKnown, versionOfBytes } from './conditional.ts'
import { isStreamed, type ResponsePayload } from './media.ts'
import { rangeOf } from './ranges.ts'
import type { Representations } from './representations.ts'

/** The parts of a success that are sent. */
export interface PreparedResponse {
  /** If absent, the status of the answer. */
  status?: number
  headers: Record<string, string>
  /** Absent in a 304. */
  payload?: ResponsePayload
}

/** One representation of the answer. `make` is called only if it is sent. */
export interface Selected {
  /** The media type. Undefined for the default of the route. */
  type: string | undefined
  wantsGzip: boolean
  make(): ResponsePayload | Promise<ResponsePayload>
}

/** Applies conditions, compression and ranges, as the request wants and the route allows (RFC 9110, section 13.2.2). */
export async function prepareResponse(
  { etag, gzip, ranges }: Representations,
  { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>,
  answer: Answer,
  { type, wantsGzip, make }: Selected,
): Promise<PreparedResponse> {
  const range = ranges && method === 'GET' ? headers.range : undefined
  // Ranges are of the uncompressed bytes, which are the same in every process.
  const isGzipped = gzip === true && wantsGzip && range === undefined
  const version = etag === 'version' ? versionOf(answer) : null
  const versionTag = version === null ? undefined : entityTag(version, { type, isGzipped })
  if (versionTag && isKnown(headers, versionTag)) return notModified(versionTag, answer)

  const payload = await make()
  const tag = etag === 'bytes' ? entityTag(versionOfBytes(bytesOf(payload)), { type, isGzipped }) : versionTag
  if (tag && isKnown(headers, tag)) return notModified(tag, answer)
  const tagHeader = tag ? { ETag: tag } : {}
  if (isGzipped) {
    const compressed = await (answer.gzipped?.() ?? compress(payload))
    return { headers: { ...tagHeader, 'Content-Encoding': 'gzip' }, payload: compressed }
  }
  if (!ranges || isStreamed(payload)) return { headers: tagHeader, payload }
  const fitting = range !== undefined && fitsIfRange(headers, tag) ? range : undefined
  return inPart(payload, fitting, tagHeader)
}

function inPart(
  whole: string | Uint8Array,
  range: string | undefined,
  tagHeader: Record<string, string>,
): PreparedResponse {
  const headers = { ...tagHeader, 'Accept-Ranges': 'bytes' }
  const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole
  const part = range === undefined ? undefined : rangeOf(range, bytes.length)
  if (!part) return { headers, payload: whole }
  const { first, last } = part
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${bytes.length}` },
    payload: bytes.subarray(first, last + 1),
  }
}

/** Destroys an unread stream, so that its source is closed. */
function notModified(etag: string, { body }: Answer): PreparedResponse {
  if (isStreamed(body)) body.stream.destroy()
  return { status: 304, headers: { ETag: etag } }
}

function versionOf({ version }: Answer): string | number | null {
  if (version === undefined) throw new Error("the answer has no version for its ETag (etag: 'version')")
  return version
}

function bytesOf(payload: ResponsePayload): string | Uint8Array {
  if (isStreamed(payload)) throw new Error('the ETag of a stream needs a version')
  return payload
}
