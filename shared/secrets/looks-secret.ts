/** Patterns of values that an error message never repeats, in any field. */
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
  // 32 bytes in base64url, as this service makes secrets, alone or behind an id. A short reference has 44 characters.
  /(^|[^\w-])[\w-]{43,44}=?($|[^\w-])/,
]

const privateMembers = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'])
const maxDepth = 10
/** A longer text is not searched, and counts as a secret. */
const maxTextLength = 1_000

/** Returns whether a value looks like a secret, or contains such a value. */
export function looksSecret(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length > maxTextLength || shapes.some((shape) => shape.test(value))
  if (typeof value !== 'object' || value === null) return false
  if (depth >= maxDepth) return true
  if ('kty' in value && Object.keys(value).some((name) => privateMembers.has(name))) return true
  return Object.values(value).some((member) => looksSecret(member, depth + 1))
}
