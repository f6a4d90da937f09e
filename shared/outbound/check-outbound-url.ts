import { isIP } from 'node:net'
import { classifyAddress } from './classify-address.ts'

export interface UrlRules {
  /** Development: also `http:` and loopback literals or `localhost`. */
  allowLoopback: boolean
  /** Claim sources may have a query, webhooks may not. */
  allowQuery?: boolean
}

const MAX_URL_LENGTH = 4096

/**
 * Checks a URL that an operator gave us to call (https, no IP literal, no credentials, no query, no fragment).
 * Looks at the text alone: what the host resolves to is checked on every connection. Returns undefined when the URL is
 * fine, else the reason as a predicate ("must use https").
 */
export function checkOutboundUrl(url: string, rules: UrlRules): string | undefined {
  const parsed = parseOutboundUrl(url)
  return parsed ? checkParsedUrl(parsed, rules) : absoluteUrl
}

/** The same as a sentence, for whoever gave us the URL: "Must use https". */
export function findUrlFault(url: string, rules: UrlRules): string | undefined {
  const refusal = checkOutboundUrl(url, rules)
  return refusal && sentenceOf(refusal)
}

/** Of a URL that is no https URL, in the words of `findUrlFault`: for those that others load, and nothing here calls. */
export function faultOfWebUrl(url: string): string {
  return sentenceOf((URL.parse(url)?.protocol ?? 'https:') === 'https:' ? absoluteUrl : useHttps)
}

function sentenceOf(refusal: string): string {
  return refusal.charAt(0).toUpperCase() + refusal.slice(1)
}

const absoluteUrl = 'must be a plain absolute URL such as https://example.com/path'
const useHttps = 'must use https'

/** The parser alone would drop tabs and line breaks and turn backslashes around: we and a reader would see different URLs. */
export function parseOutboundUrl(url: string): URL | null {
  return url.length > MAX_URL_LENGTH || UNCLEAR.test(url) ? null : URL.parse(url)
}

/** The same for a URL that is already parsed, as on every call and after every redirect. */
export function checkParsedUrl(url: URL, { allowLoopback, allowQuery = false }: UrlRules): string | undefined {
  const { protocol, hostname, href } = url
  if (protocol !== 'https:' && protocol !== 'http:') return useHttps
  if (url.username || url.password) return 'must not hold credentials'
  if (href.includes('#')) return 'must not have a fragment'
  if (!allowQuery && href.includes('?')) return 'must not have a query'
  if (url.port === '0') return 'must have a usable port'
  if (allowLoopback && isLoopbackHost(hostname)) return undefined
  return protocol === 'https:' ? checkHost(hostname) : useHttps
}

/** The IP literal that a parsed URL's hostname is, without brackets; undefined if it is a name. */
export function ipLiteral(hostname: string): string | undefined {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(literal) === 0 ? undefined : literal
}

/** RFC 6761, section 6.3: these names mean this machine, whatever a resolver says. */
export function isLocalhostName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNCLEAR = /[\u0000-\u0020\u007f\\]/

/** Whether a parsed URL's hostname means this machine: a literal address of loopback, or a name of it. */
export function isLoopbackHost(hostname: string): boolean {
  const literal = ipLiteral(hostname)
  return literal === undefined ? isLocalhostName(hostname) : classifyAddress(literal) === 'loopback'
}

// The WHATWG parser has already turned 127.1, 0x7f.1, 2130706433 and full-width digits into dotted form.
function checkHost(hostname: string): string | undefined {
  if (ipLiteral(hostname) !== undefined) return 'must name a host, not an IP address'
  if (hostname.endsWith('.')) return 'must name a host without a trailing dot'
  if (!hostname.includes('.') || LOCAL_NAME.test(hostname)) return 'must name a public host'
  return undefined
}

// Names that are never in the public DNS (RFC 6761, 6762, 7686, 8375 and ICANN's reservation of .internal).
const LOCAL_NAME = /\.(localhost|local|internal|onion|home\.arpa)$/
