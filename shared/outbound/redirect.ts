import type { OutboundResponse } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

// What another origin may see. The rest can be a credential, whatever it is called (RFC 9110, section 15.4).
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * Where an answer points to, fragment removed; undefined if it is no redirect. Throws OutboundError `redirect` for a
 * Location that is missing or no URL, and for one that leaves https.
 */
export function findRedirect(from: URL, { status, headers }: OutboundResponse): URL | undefined {
  if (!REDIRECTS.has(status)) return undefined
  const { location } = headers
  const to = typeof location === 'string' ? URL.parse(location, from.href) : null
  if (!to) throw new OutboundError('redirect', { detail: 'the Location is missing or malformed' })
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new OutboundError('redirect', { detail: 'it leaves https' })
  }
  to.hash = ''
  return to
}

/** The headers that a redirected request keeps. */
export function headersAfterRedirect(from: URL, to: URL, headers: Readonly<Record<string, string>>) {
  if (from.origin === to.origin) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())))
}
