import type { Representations } from './representations.ts'

const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'DPoP-Nonce',
  'ETag',
  'OAuth-Client-Attestation-Challenge',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]

/** `*` does not include `Authorization` (fetch.spec.whatwg.org, section 3.3.4). Some browsers do not support it. */
const allowed = [
  'Accept',
  'Authorization',
  'Content-Type',
  'DPoP',
  'If-None-Match',
  'OAuth-Client-Attestation',
  'OAuth-Client-Attestation-PoP',
  'Range',
  '*',
]

/** The headers of every response of the route, so that scripts can read errors too (fetch.spec.whatwg.org). */
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed.join(', '),
}

const maxAgeSeconds = 86_400

/**
 * Returns the CORS headers of a route. With `*` browsers send no cookies: a page reads only public data, or data of a wallet whose
 * token it has. Throws if the route is for operators.
 */
export function corsOf({
  access,
  operation,
  representations,
}: {
  access: { kind: string }
  operation: string
  representations?: Representations
}): Record<string, string> | undefined {
  if (!representations?.cors) return undefined
  if (access.kind === 'operators') throw new Error(`${operation} is for operators: it must not allow every origin`)
  return corsHeaders
}

/** Returns the headers of the answer to a preflight request. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    ...corsHeaders,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': allowed.join(', '),
    'Access-Control-Max-Age': String(maxAgeSeconds),
  }
}
