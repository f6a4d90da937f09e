import type { z } from 'zod'
import { jsonMedia, type Media } from './media.ts'

/** How what a route answers is put on the wire. All of it is optional: a route without says its data in JSON, for nobody to keep. */
export interface Representations {
  /** The default first, which is JSON where nothing is said. Accept chooses among them, and there is a `Vary`. */
  media?: readonly [Media, ...Media[]]
  /** Who accepts none of them is refused (406); else is given the default. */
  isStrict?: true
  /** Answers of other statuses than the route's own that are no problems; the handler returns them as an `Answer`. */
  statuses?: Readonly<Record<number, { description: string; response?: z.ZodType }>>
  /**
   * For so long anybody may keep a success; 0: it may be kept, and is asked about each time. `answered`: the answer says
   * (`Answer.maxAgeSeconds`). `forever`: what is at its address never changes. Absent: nobody keeps it.
   */
  maxAgeSeconds?: number | 'answered' | 'forever'
  /** An `ETag` and 304: of a version that the answer says (`Answer.version`), or of the bytes, which then are made each time. */
  etag?: 'version' | 'bytes'
  /** Compressed for whom accepts it; `Answer.gzipped` has the bytes where they are known. */
  gzip?: true
  /** A single byte range: 206, 416. Streams are sent whole. */
  ranges?: true
  /** The answer names a file to be saved (`Answer.fileName`). */
  attachment?: true
  /** Scripts of every origin may call it. For routes that are open to anyone, and for those of wallets. */
  cors?: true
}

interface Answering {
  status: number
  representations?: Representations
}

export function mediaOf({ representations }: Answering): readonly [Media, ...Media[]] {
  return representations?.media ?? [jsonMedia]
}

/** Those that Accept chooses among. */
export function negotiatedOf(route: Answering): readonly Media[] {
  return mediaOf(route).filter(({ kind }) => kind !== 'chosen')
}

/** Every status that is no problem. */
export function successStatuses({ status, representations = {} }: Answering): number[] {
  const { statuses = {}, etag, ranges } = representations
  return [status, ...Object.keys(statuses).map(Number), ...(etag ? [304] : []), ...(ranges ? [206] : [])]
}

/** The headers that caches tell apart what they keep by. */
export function varyOf(route: Answering): string[] {
  const isNegotiated = negotiatedOf(route).length > 1
  return [...(isNegotiated ? ['Accept'] : []), ...(route.representations?.gzip ? ['Accept-Encoding'] : [])]
}
