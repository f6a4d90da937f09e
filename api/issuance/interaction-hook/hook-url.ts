import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'

/** RFC 8252, section 7.1: a private-use URI scheme is a reversed domain name, so it contains a dot. */
const appUrl = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:[\x21-\x7e]+$/i

/** Returns whether the URL opens an app and not a web server. */
export function isAppUrl(url: string): boolean {
  const parsed = appUrl.test(url) ? URL.parse(url) : null
  return parsed !== null && !parsed.username && !parsed.password && !/[?#]/.test(url)
}

/**
 * Describes the fault in the URL of a component. Returns `undefined` for a web component's URL and for a private-use
 * URI scheme.
 */
export function findHookUrlFault(url: string, rules: { allowLoopback: boolean }): string | undefined {
  return isAppUrl(url) ? undefined : findUrlFault(url, rules)
}

/** Returns the accepted `iss` values of the component's responses: its URL, or for a web component also its origin. */
export function issuersOf(url: string): string[] {
  return isAppUrl(url) ? [url] : [url, new URL(url).origin]
}
