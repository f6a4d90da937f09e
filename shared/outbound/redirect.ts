import type { OutboundResponse } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

// The headers that another origin may see. All others can be credentials (RFC 9110, section 15.4).
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * Returns the target of a redirect without its fragment, or undefined for another response. Throws OutboundError `redirect` for a
 * Location that is missing or not a URL, and for a redirect from https to http.
 */
export function findRedirect(from: URL, { status, headers }: OutboundResponse): URL | undefined {
  if (!REDIRECTS.has(status)) return undefined
  const { location } = headers
  const to = typeof location === 'string' ? URL.parse(location, from.href) : null
  if (!to) throw new OutboundError('redirect', { detail: 'the Location is missing or malformed' })
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new OutboundError('redirect', { detail: 'it changes from https to http' })
  }
  to.hash = ''
  return to
}

/** Returns the headers that a redirected request keeps. */
export function headersAfterRedirect(from: URL, to: URL, headers: Readonly<Record<string, string>>) {
  if (from.origin === to.origin) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())))
}
