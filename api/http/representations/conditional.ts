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

/** Whether the caller has it already: If-None-Match (RFC 9110, section 13.1.2) names it, or `*`. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  return fresh(headers, { etag })
}

/** Whether a part fits what the caller has (RFC 9110, section 13.1.5). What is sent in part has a strong tag, and no date. */
export function fitsIfRange(headers: IncomingHttpHeaders, etag: string | undefined): boolean {
  const wanted = headers['if-range']
  return wanted === undefined || wanted === etag
}
