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
 * Checks a URL that an operator configured (https, no IP literal, no credentials, no query, no fragment). Checks only the text. The
 * addresses of the host are checked for every connection. Returns undefined if the URL is valid, and otherwise the reason as a
 * predicate ("must use https").
 */
export function checkOutboundUrl(url: string, rules: UrlRules): string | undefined {
  const parsed = parseOutboundUrl(url)
  return parsed ? checkParsedUrl(parsed, rules) : absoluteUrl
}

/** Returns the same as a sentence: "Must use https". */
export function findUrlFault(url: string, rules: UrlRules): string | undefined {
  const refusal = checkOutboundUrl(url, rules)
  return refusal && sentenceOf(refusal)
}

/** Returns the fault of a URL that is not an https URL, as `findUrlFault` words it. For URLs that this service does not call. */
export function faultOfWebUrl(url: string): string {
  return sentenceOf((URL.parse(url)?.protocol ?? 'https:') === 'https:' ? absoluteUrl : useHttps)
}

function sentenceOf(refusal: string): string {
  return refusal.charAt(0).toUpperCase() + refusal.slice(1)
}

const absoluteUrl = 'must be a plain absolute URL such as https://example.com/path'
const useHttps = 'must use https'
const noLoopback =
  'must use https and name a public host, not this machine and no IP address. For a server on this machine in development, start the service with OUTBOUND_ALLOW_LOOPBACK=1'

/** Parses a URL. Refuses tabs, line breaks and backslashes, which the parser changes, so that the result differs from the text. */
export function parseOutboundUrl(url: string): URL | null {
  return url.length > MAX_URL_LENGTH || UNCLEAR.test(url) ? null : URL.parse(url)
}

/** Checks a parsed URL, before every call and after every redirect. */
export function checkParsedUrl(url: URL, { allowLoopback, allowQuery = false }: UrlRules): string | undefined {
  const { protocol, hostname, href } = url
  if (protocol !== 'https:' && protocol !== 'http:') return useHttps
  if (url.username || url.password) return 'must not contain credentials'
  if (href.includes('#')) return 'must not have a fragment'
  if (!allowQuery && href.includes('?')) return 'must not have a query'
  if (url.port === '0') return 'must have a usable port'
  if (isLoopbackHost(hostname)) return allowLoopback ? undefined : noLoopback
  return protocol === 'https:' ? checkHost(hostname) : useHttps
}

/**
 * Checks a URL that the settings of the platform name. It can be any host, also in an own network. Without https it must be this machine.
 * Returns undefined if the URL is valid, and otherwise the reason as a predicate.
 */
export function checkPlatformUrl(url: string): string | undefined {
  const parsed = parseOutboundUrl(url)
  if (!parsed) return absoluteUrl
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname))) return useHttps
  if (parsed.username || parsed.password) return 'must not contain credentials'
  return parsed.href.includes('#') ? 'must not have a fragment' : undefined
}

/** Returns the IP literal in the hostname of a parsed URL, without brackets. Returns undefined for a name. */
export function ipLiteral(hostname: string): string | undefined {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(literal) === 0 ? undefined : literal
}

/** RFC 6761, section 6.3: these names are this machine, independent of a resolver. */
export function isLocalhostName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const UNCLEAR = /[\u0000-\u0020\u007f\\]/

/** Whether the hostname of a parsed URL is this machine: a loopback address or a localhost name. */
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
