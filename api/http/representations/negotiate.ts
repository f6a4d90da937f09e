import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Media } from './media.ts'

/** The representation that the client prefers. */
export interface Choice {
  media: Media
  wantsGzip: boolean
}

/** Returns a function that evaluates Accept and Accept-Encoding. It caches the choices, because clients send few different values. */
export function negotiatorOf(
  all: readonly Media[],
  { isStrict, gzip }: { isStrict?: true; gzip?: true },
): (headers: IncomingHttpHeaders) => Choice {
  const [first] = all
  if (!first) throw new Error('a route must have a media type that Accept can choose')
  const only: Choice = { media: first, wantsGzip: false }
  if (all.length === 1 && !isStrict && !gzip) return () => only
  const choices = new LRUCache<string, Choice>({ max: maxCached })
  return (headers) => {
    // The values that absent headers stand for (RFC 9110, sections 12.5.1 and 12.5.3).
    const { accept = '*/*', 'accept-encoding': encoding = '' } = headers
    const key = `${accept}\n${encoding}`
    const cachedChoice = choices.get(key)
    if (cachedChoice) return cachedChoice
    const choice = { media: mediaFor(headers, all, first, isStrict === true), wantsGzip: acceptsGzip(headers) }
    if (key.length <= maxCachedLength) choices.set(key, choice)
    return choice
  }
}

const maxCached = 100
const maxCachedLength = 300

/**
 * Returns the media type that the client prefers (RFC 9110, section 12.5.1), or the first one if it accepts none. Among types with
 * the same weight it returns the first of the route, or with `followsOrder` the first in the header.
 */
function mediaFor(
  { accept = '*/*' }: IncomingHttpHeaders,
  all: readonly Media[],
  first: Media,
  isStrict: boolean,
): Media {
  const types = all.map(({ type }) => type)
  const indexOf = (range: string) => types.indexOf(range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  const ranges = accept.split(',').map((range) => ({ range, at: indexOf(range) }))
  // The library depends on the order in the header, which has no meaning in RFC 9110.
  const followsOrder = all.some((media) => media.kind === 'generated' && media.followsOrder)
  const ordered = followsOrder ? ranges : ranges.sort((one, other) => one.at - other.at)
  const header = ordered.map(({ range }) => range).join(',')
  const preferredType = new Negotiator({ headers: { accept: header } }).mediaType(types)
  const representation = all.find(({ type }) => type === preferredType)
  if (!representation && isStrict) throw new Problem('not_acceptable')
  return representation ?? first
}

/** Whether the client prefers gzip (RFC 9110, section 12.5.3). */
function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
