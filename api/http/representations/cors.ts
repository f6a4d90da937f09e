import type { Representations } from './representations.ts'

const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'DPoP-Nonce',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]

/** `*` stands for all others but for `Authorization` (fetch.spec.whatwg.org, section 3.3.4), and some browsers do not know it. */
const taken = [
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

/** Of every answer of the route, refusals too: who reads it in a browser reads why it was refused (fetch.spec.whatwg.org). */
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed.join(', '),
}

const forADaySeconds = 86_400

/**
 * What is said of all answers. Cookies and the like are never sent along (`*`), so that a page reads what anybody may, or what a
 * wallet's token opens, which it has itself. Throws where the route is for operators.
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
  if (access.kind === 'operators') throw new Error(`${operation} is for operators, and so not for every origin`)
  return corsHeaders
}

/** Of the answer to a browser that asks before it calls. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    ...corsHeaders,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': taken.join(', '),
    'Access-Control-Max-Age': String(forADaySeconds),
  }
}
