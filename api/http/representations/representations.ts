import type { z } from 'zod'
import { jsonMedia, type Media } from './media.ts'

/** The representations of the answer of a route. The default is JSON that must not be stored. */
export interface Representations {
  /** The media types, the default first. Accept chooses among them. If absent, JSON. */
  media?: readonly [Media, ...Media[]]
  /** Refuses a client that accepts none of them (406). Otherwise it gets the default. */
  isStrict?: true
  /** The other success statuses. The handler returns them as an `Answer`. */
  statuses?: Readonly<Record<number, { description: string; response?: z.ZodType }>>
  /**
   * The time that caches may store a success. 0: they must revalidate it each time. `answered`: the answer sets it
   * (`Answer.maxAgeSeconds`). `forever`: the content of the URL never changes. Absent: they must not store it.
   */
  maxAgeSeconds?: number | 'answered' | 'forever'
  /** `ETag` and 304. The tag is a version (`Answer.version`), or the hash of the bytes, which are then made for each request. */
  etag?: 'version' | 'bytes'
  /** Compresses the payload if the client accepts it. `Answer.gzipped` has bytes that are compressed already. */
  gzip?: true
  /** Answers a single byte range: 206, 416. A stream is sent whole. */
  ranges?: true
  /** The answer is a file to save (`Answer.fileName`). */
  attachment?: true
  /** Scripts of every origin may call the route. For public routes and routes of wallets. */
  cors?: true
}

interface Answering {
  status: number
  representations?: Representations
}

/** Returns the schemas of the answers of all statuses. */
export function responsesOf({ response, representations }: Answering & { response?: z.ZodType }): z.ZodType[] {
  const others = Object.values(representations?.statuses ?? {}).map((answer) => answer.response)
  return [response, ...others].filter((each) => each !== undefined)
}

export function mediaOf({ representations }: Answering): readonly [Media, ...Media[]] {
  return representations?.media ?? [jsonMedia]
}

/** Returns the media types among which Accept chooses. */
export function negotiatedOf(route: Answering): readonly Media[] {
  return mediaOf(route).filter(({ kind }) => kind !== 'chosen')
}

/** Returns the headers in `Vary`. */
export function varyOf(route: Answering): string[] {
  const isNegotiated = negotiatedOf(route).length > 1
  return [...(isNegotiated ? ['Accept'] : []), ...(route.representations?.gzip ? ['Accept-Encoding'] : [])]
}
