import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { Problem } from '../../shared/errors/errors.ts'
import { dottedPath, isText } from '../../shared/formats/lossless-json.ts'
import { parseJson } from './json.ts'

/** The limit of a JSON body, unless the route sets another one. */
export const defaultBodyLimitBytes = 100_000

/** `application/jwt` is JSON inside a compact JWE. */
export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'application/jwt'

/** Decrypts a body of `application/jwt`. */
export type OpenBody = (jwe: string) => Promise<Buffer>

/**
 * Returns a function that reads the body at its first call. A body over the limit is refused. `releaseWhileReading` waits for a body that has
 * not arrived yet.
 */
export function rawBodyOf(
  request: IncomingMessage,
  limitBytes: number,
  releaseWhileReading: (reading: Promise<Buffer>) => Promise<Buffer>,
): () => Promise<Buffer> {
  let read: Promise<Buffer> | undefined
  return () => {
    read ??= request.complete ? readBytes(request, limitBytes) : releaseWhileReading(readBytes(request, limitBytes))
    return read
  }
}

/** Parses a body of one of the media types. Returns undefined if the request has no body. */
export async function parseBody(
  request: IncomingMessage,
  rawBody: () => Promise<Buffer>,
  mediaTypes: readonly MediaType[],
  open?: OpenBody,
): Promise<unknown> {
  const mediaType = mediaTypeOf(request)
  if (mediaType === undefined && Number(request.headers['content-length'] ?? Number.NaN) === 0) return undefined
  const accepted = mediaTypes.find((each) => each === mediaType)
  if (!accepted || request.headers['content-encoding']) throw unsupportedMediaType(request, mediaTypes)
  const text = decode(await rawBody())
  if (text === '') return undefined
  if (open && accepted === 'application/jwt') return parseJson(decode(await open(text)))
  return accepted === 'application/json' ? parseJson(text) : parseParameters(text, 'body')
}

export function unsupportedMediaType({ headers }: IncomingMessage, accepted: readonly string[]): Problem {
  const type = `The Content-Type must be ${accepted.join(' or ')}`
  const message = headers['content-encoding'] ? 'Send the body without a Content-Encoding' : type
  return new Problem('unsupported_media_type', { message })
}

/** The maximum number of parameters in a form or a query. */
const maxParameters = 1000

/** Parses form or query parameters. A repeated parameter becomes an array, which schemas of single values refuse. */
export function parseParameters(text: string, location: 'body' | 'query' = 'query'): Record<string, string | string[]> {
  const parameters = countSeparators(text) <= maxParameters ? new URLSearchParams(text) : undefined
  if (parameters && parameters.size <= maxParameters) return recordOf(parameters, location)
  const msg = `Must not have more than ${maxParameters} parameters`
  throw new Problem('bad_request', { details: [{ msg, param: '', location }] })
}

/** Counts up to one more than is allowed. It costs much less than to parse the parameters. */
function countSeparators(text: string): number {
  let count = 0
  for (let at = text.indexOf('&'); at >= 0 && count <= maxParameters; at = text.indexOf('&', at + 1)) count++
  return count
}

/** Returns the values by name. A repeated name has an array. */
export function recordOf(
  parameters: Iterable<[string, string]>,
  location: 'body' | 'query',
): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of parameters) {
    if (!isText(name + value)) {
      throw new Problem('bad_request', {
        details: [{ msg: 'Must be well-formed Unicode without U+0000', param: dottedPath([name]), location }],
      })
    }
    const earlier = values[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else values[name] = earlier === undefined ? value : [earlier, value]
  }
  return values
}

/** Returns the media type in lower case, without parameters. */
export function mediaTypeOf(request: IncomingMessage): string | undefined {
  return request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > limitBytes) throw tooLarge(limitBytes)
  try {
    return await getRawBody(request, { limit: limitBytes })
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw tooLarge(limitBytes)
    throw new Problem('malformed_body', { message: 'The body is incomplete' })
  }
}

/** Creates the problem of a body, or of a part of a form, that is larger than its limit. */
export function tooLarge(limitBytes: number, param?: string): Problem {
  const limit = `${limitBytes.toLocaleString('en')} bytes`
  if (param === undefined)
    return new Problem('payload_too_large', {
      message: `The body is larger than ${limit}, the limit of this operation`,
    })
  const details = [{ msg: `Must have at most ${limit}`, param, location: 'body' as const }]
  return new Problem('payload_too_large', { details })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decode(bytes: Buffer, what = 'The body'): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('malformed_body', { message: `${what} is not UTF-8` })
  }
}
