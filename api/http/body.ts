import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { Problem } from '../../shared/errors.ts'
import { isText, parseJson } from './json.ts'

/** Of a JSON body, unless the route says otherwise. */
export const defaultBodyLimitBytes = 100_000

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded'

/** Reads and parses a body of one of the media types; nothing of it is kept when it is over the limit. */
export async function readBody(
  request: IncomingMessage,
  mediaTypes: MediaType[],
  limitBytes: number,
): Promise<unknown> {
  const mediaType = mediaTypeOf(request)
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (length > limitBytes) throw new Problem('payload_too_large')
  if (mediaType === undefined && length === 0) return undefined
  const accepted = mediaTypes.find((each) => each === mediaType)
  if (!accepted || request.headers['content-encoding']) throw new Problem('unsupported_media_type')
  const text = await readText(request, limitBytes)
  if (text === '') return undefined
  return accepted === 'application/json' ? parseJson(text) : parseParameters(text, 'body')
}

/** Form or query parameters. One that is repeated becomes an array, which schemas of single values refuse. */
export function parseParameters(text: string, location: 'body' | 'query' = 'query'): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (!isText(name + value))
      throw new Problem('bad_request', { details: [{ msg: 'Holds U+0000', param: name, location }] })
    const earlier = values[name]
    values[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return values
}

function mediaTypeOf(request: IncomingMessage): string | undefined {
  return request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
}

async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await getRawBody(request, { limit: limitBytes })
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw new Problem('payload_too_large')
    }
    throw new Problem('malformed_body', { message: 'The body did not arrive whole' })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_body', { message: 'The body is not UTF-8' })
  }
}
