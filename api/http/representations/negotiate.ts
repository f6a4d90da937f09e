import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { Problem } from '../../../shared/errors.ts'
import type { Media } from './media.ts'

/** The media type that the caller would rather have (RFC 9110, section 12.5.1); the first one for who has no wish, or another. */
export function chooserOf(all: readonly Media[], isStrict: boolean): (headers: IncomingHttpHeaders) => Media {
  const [first] = all
  if (!first) throw new Error('a route answers in no media type that Accept could choose')
  if (all.length === 1 && !isStrict) return () => first
  const types = all.map(({ type }) => type)
  return (headers) => {
    const wanted = new Negotiator({ headers }).mediaType(types)
    const found = all.find(({ type }) => type === wanted)
    if (!found && isStrict) throw new Problem('not_acceptable')
    return found ?? first
  }
}

/** Whether the caller would have it in gzip (RFC 9110, section 12.5.3). */
export function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
