import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'

/** RFC 8252, section 7.1: an app's own scheme is the reverse of a domain name, and so has a dot in it. */
const appUrl = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:[\x21-\x7e]+$/i

/** Whether an app opens it, and no web server. */
export function isAppUrl(url: string): boolean {
  const parsed = appUrl.test(url) ? URL.parse(url) : null
  return parsed !== null && !parsed.username && !parsed.password && !/[?#]/.test(url)
}

/** What is wrong with the url of a component, in a sentence. `undefined` for a web component's url, and for an app's own scheme. */
export function findHookUrlFault(url: string, rules: { allowLoopback: boolean }): string | undefined {
  return isAppUrl(url) ? undefined : findUrlFault(url, rules)
}

/** The `iss` of the component's answers: its url, or the origin of that where it has one. */
export function issuersOf(url: string): string[] {
  return isAppUrl(url) ? [url] : [url, new URL(url).origin]
}
