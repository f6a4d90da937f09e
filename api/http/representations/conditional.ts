import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'

/**
 * The validator of one representation (RFC 9110, section 8.8.3): those that exist side by side have different ones. What was
 * compressed has a weak one, since the same bytes are compressed to others by the next version of zlib.
 */
export function entityTag(version: string | number, variant: { type: string | undefined; isGzipped: boolean }): string {
  const named = encodeURIComponent(version) + (variant.type === undefined ? '' : `;${variant.type}`)
  return variant.isGzipped ? `W/"${named};gzip"` : `"${named}"`
}

export function versionOfBytes(payload: string | Uint8Array): string {
  return hash('sha256', payload, 'base64url')
}

/**
 * Whether If-None-Match names this tag or is `*` (RFC 9110, section 13.1.2). No other header counts: `fresh` would ignore
 * If-None-Match beside `Cache-Control: no-cache`, which fetch adds to it.
 */
export function isKnown({ 'if-none-match': known }: IncomingHttpHeaders, etag: string): boolean {
  return fresh({ 'if-none-match': known }, { etag })
}

/** Whether a part fits what the caller has (RFC 9110, section 13.1.5). What is sent in part has a strong tag, and no date. */
export function fitsIfRange(headers: IncomingHttpHeaders, etag: string | undefined): boolean {
  const wanted = headers['if-range']
  return wanted === undefined || wanted === etag
}
