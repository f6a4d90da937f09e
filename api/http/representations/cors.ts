import type { Representations } from './representations.ts'

const exposed = ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag', 'Retry-After', 'X-Request-Id']

/** Of every answer of the route, refusals too: who reads it in a browser reads why it was refused (fetch.spec.whatwg.org). */
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed.join(', '),
}

const forADaySeconds = 86_400

/** What is said of all answers; throws where the route is not open to anyone. */
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
  if (access.kind !== 'anyone') throw new Error(`${operation} is not open to anyone, and so not to every origin`)
  return corsHeaders
}

/** Of the answer to a browser that asks before it calls. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    ...corsHeaders,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': String(forADaySeconds),
  }
}
