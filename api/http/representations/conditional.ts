import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'

/**
 * Returns the validator of one representation (RFC 9110, section 8.8.3). Each representation has its own. A compressed
 * representation has a weak one, because another version of zlib can produce other bytes.
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
export function isKnown({ 'if-none-match': condition }: IncomingHttpHeaders, etag: string): boolean {
  return fresh({ 'if-none-match': condition }, { etag })
}

/** Checks If-Range (RFC 9110, section 13.1.5). Representations with ranges have a strong tag and no date. */
export function fitsIfRange(headers: IncomingHttpHeaders, etag: string | undefined): boolean {
  const condition = headers['if-range']
  return condition === undefined || condition === etag
}
