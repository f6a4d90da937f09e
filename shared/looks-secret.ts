/** Values that a refusal never repeats, in whatever field they came. */
const shapes: RegExp[] = [
  // A private key in PEM (RFC 7468), or a part of one.
  /-----(BEGIN|END)[A-Z0-9 ]* PRIVATE KEY/i,
  // A JWK with a private or symmetric key (RFC 7518, section 6), as JSON text.
  /["'](d|p|q|dp|dq|qi|k)["']\s*:\s*["']/,
  // User information of a URL (RFC 3986, section 3.2.1), also where a character in it makes the URL invalid.
  /\/\/.*@/s,
  // A secret in the query of a URL.
  /(token|password|passwd|secret|api[-_]?key|code|signature|sig)=/i,
  // The credentials of an Authorization header (RFC 9110, section 11.4).
  /\b(bearer|basic|dpop)\s+[\w.~+/-]{8}/i,
  // A JWT or another JOSE object in the compact form.
  /\beyJ[\w-]+\.[\w-]*\./,
  // 32 bytes in base64url, as this service makes secrets, alone or behind an id.
  /(^|[^\w-])[\w-]{43}=?($|[^\w-])/,
]

const privateMembers = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'])
const deepest = 10
/** A longer text is not looked through, and counts as one that has a secret. */
const longestText = 1_000

/** Whether a value looks like a secret, or has one in it. */
export function looksSecret(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length > longestText || shapes.some((shape) => shape.test(value))
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  if ('kty' in value && Object.keys(value).some((name) => privateMembers.has(name))) return true
  return Object.values(value).some((member) => looksSecret(member, depth + 1))
}
