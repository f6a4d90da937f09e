import type { IncomingMessage } from 'node:http'
import type { Answer } from './answer.ts'
import { compress } from './compress.ts'
import { entityTag, fitsIfRange, isKnown, versionOfBytes } from './conditional.ts'
import { isStreamed, type ResponsePayload } from './media.ts'
import { rangeOf } from './ranges.ts'
import type { Representations } from './representations.ts'

/** What of a success goes onto the wire. */
export interface Conveyed {
  /** Absent: that of the answer. */
  status?: number
  headers: Record<string, string>
  /** Absent in a 304. */
  payload?: ResponsePayload
}

/** One representation of the answer; `make` is called only where it is sent. */
export interface Selected {
  /** Tells the media types of a route apart; absent for the default. */
  type: string | undefined
  wantsGzip: boolean
  make(): ResponsePayload | Promise<ResponsePayload>
}

/** Whole or in part, compressed or not, or not at all: as the request asks and the route allows (RFC 9110, section 13.2.2). */
export async function convey(
  { etag, gzip, ranges }: Representations,
  { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>,
  answer: Answer,
  { type, wantsGzip, make }: Selected,
): Promise<Conveyed> {
  const partAsked = ranges && method === 'GET' ? headers.range : undefined
  // Parts are parts of what is not compressed: those bytes are the same in every process.
  const isGzipped = gzip === true && wantsGzip && partAsked === undefined
  const known = etag === 'version' ? entityTag(versionOf(answer), { type, isGzipped }) : undefined
  if (known && isKnown(headers, known)) return notModified(known, answer)

  const payload = await make()
  const tag = etag === 'bytes' ? entityTag(versionOfBytes(bytesOf(payload)), { type, isGzipped }) : known
  if (tag && isKnown(headers, tag)) return notModified(tag, answer)
  const said = tag ? { ETag: tag } : {}
  if (isGzipped) {
    const compressed = await (answer.gzipped?.() ?? compress(payload))
    return { headers: { ...said, 'Content-Encoding': 'gzip' }, payload: compressed }
  }
  if (!ranges || isStreamed(payload)) return { headers: said, payload }
  return inPart(payload, partAsked !== undefined && fitsIfRange(headers, tag) ? partAsked : undefined, said)
}

function inPart(whole: string | Uint8Array, asked: string | undefined, said: Record<string, string>): Conveyed {
  const headers = { ...said, 'Accept-Ranges': 'bytes' }
  const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole
  const part = asked === undefined ? undefined : rangeOf(asked, bytes.length)
  if (!part) return { headers, payload: whole }
  const { first, last } = part
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${bytes.length}` },
    payload: bytes.subarray(first, last + 1),
  }
}

/** A stream that nobody reads would keep open what it reads from. */
function notModified(etag: string, { body }: Answer): Conveyed {
  if (isStreamed(body)) body.stream.destroy()
  return { status: 304, headers: { ETag: etag } }
}

function versionOf({ version }: Answer): string | number {
  if (version === undefined) throw new Error('the answer says no version, which its ETag is of')
  return version
}

function bytesOf(payload: ResponsePayload): string | Uint8Array {
  if (isStreamed(payload)) throw new Error('the ETag of a stream needs a version')
  return payload
}
