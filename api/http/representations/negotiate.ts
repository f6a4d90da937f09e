import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { Problem } from '../../../shared/errors.ts'
import type { Media } from './media.ts'

/** What the caller would have of what the route has. */
export interface Choice {
  media: Media
  wantsGzip: boolean
}

/** What Accept and Accept-Encoding choose: the same texts the same, so that the few that callers send are parsed once. */
export function chooserOf(
  all: readonly Media[],
  { isStrict, gzip }: { isStrict?: true; gzip?: true },
): (headers: IncomingHttpHeaders) => Choice {
  const [first] = all
  if (!first) throw new Error('a route answers in no media type that Accept could choose')
  const only: Choice = { media: first, wantsGzip: false }
  if (all.length === 1 && !isStrict && !gzip) return () => only
  const kept = new LRUCache<string, Choice>({ max: maxCached })
  return (headers) => {
    // What nobody says is as good as this (RFC 9110, sections 12.5.1 and 12.5.3).
    const { accept = '*/*', 'accept-encoding': encoding = '' } = headers
    const asked = `${accept}\n${encoding}`
    const known = kept.get(asked)
    if (known) return known
    const choice = { media: mediaFor(headers, all, first, isStrict === true), wantsGzip: acceptsGzip(headers) }
    if (asked.length <= maxCachedLength) kept.set(asked, choice)
    return choice
  }
}

const maxCached = 100
const maxCachedLength = 300

/**
 * The media type that the caller would rather have (RFC 9110, section 12.5.1); the first one for who has no wish, or another. Of
 * those that are named and wanted as much it is the one that the route has first, in whatever order they are named.
 */
function mediaFor(
  { accept = '*/*' }: IncomingHttpHeaders,
  all: readonly Media[],
  first: Media,
  isStrict: boolean,
): Media {
  const types = all.map(({ type }) => type)
  const place = (range: string) => types.indexOf(range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  // The library goes by the order of the header, which RFC 9110 gives no meaning.
  const ordered = accept
    .split(',')
    .map((range) => ({ range, at: place(range) }))
    .sort((one, other) => one.at - other.at)
  const header = ordered.map(({ range }) => range).join(',')
  const wanted = new Negotiator({ headers: { accept: header } }).mediaType(types)
  const found = all.find(({ type }) => type === wanted)
  if (!found && isStrict) throw new Problem('not_acceptable')
  return found ?? first
}

/** Whether the caller would have it in gzip (RFC 9110, section 12.5.3). */
function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
