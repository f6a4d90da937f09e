import type { Context } from 'koa'
import type { z } from 'zod'
import { Problem, type ProblemDetail, type ProblemName, statusOf } from '../../shared/errors/errors.ts'
import { dottedPath } from '../../shared/formats/lossless-json.ts'
import { tracing } from '../../shared/tracing/tracing.ts'
import { compiledOf } from './compiled-schemas.ts'
import { acceptsIdempotencyKey } from './idempotency.ts'
import { isMultipart } from './multipart/multipart.ts'
import type { Route } from './route.ts'
import { secretNames } from './secrets.ts'
import { fieldIssues, validationMessage } from './validation-messages.ts'

/** Writes a problem in the error format of the route. `route` is undefined if the path matches no route. */
export function writeProblem(ctx: Context, problem: Problem, route: Route | undefined): void {
  ctx.status = problem.status
  setHeaders(ctx, problem)
  // The rate limit refuses a request before the route does. This error has the same format on all routes.
  if (route?.oauthErrors && problem.problem !== 'too_many_requests') {
    writeOauthError(ctx, problem, route)
    return
  }
  if (problem.problem === 'unauthorized' || problem.problem === 'wrong_management_token') {
    ctx.set('WWW-Authenticate', bearerChallenge(problem))
    ctx.type = 'text/plain'
    ctx.body = 'Unauthorized'
    return
  }
  if (problem.problem === 'forbidden') {
    ctx.set('WWW-Authenticate', bearerChallenge(problem))
    ctx.body = ''
    return
  }
  const details = problem.details ? { details: problem.details } : {}
  ctx.body = { code: problem.code, message: problem.message, ...details, ...tracing?.fields() }
}

export function setHeaders(ctx: Context, { headers, retryAfterSeconds }: Problem): void {
  ctx.set(headers)
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds))
}

/**
 * RFC 6750, section 3.1: the challenge of a request without a token, or with another scheme, has no error code. It says how to
 * authenticate.
 */
function bearerChallenge(problem: Problem): string {
  if (problem.problem === 'unauthorized') return `Bearer error_description="${howToAuthenticate}"`
  const error = bearerErrors[problem.problem]
  return error ? `Bearer error="${error}", error_description="${descriptionOf(problem)}"` : 'Bearer'
}

const howToAuthenticate = 'Send the header Authorization: Bearer ACCESS_TOKEN. Request an access token at /oauth/token.'

const bearerErrors: { [name in ProblemName]?: string } = {
  wrong_management_token: 'invalid_token',
  forbidden: 'insufficient_scope',
}

/** `{error, error_description}` (RFC 6749, section 5.2). */
function writeOauthError(ctx: Context, problem: Problem, route: Route): void {
  const error = oauthErrorOf(problem, route)
  ctx.set('Cache-Control', 'no-store')
  ctx.status = oauthStatusOf(problem.problem, route)
  ctx.body = { error, error_description: descriptionOf(problem), ...tracing?.fields() }
}

/** Returns the `error` of a problem on a route with OAuth errors. */
export function oauthErrorOf(problem: Problem, route: Route): string {
  switch (problem.problem) {
    case 'bad_request':
    case 'malformed_body':
    case 'unsupported_media_type':
    case 'payload_too_large':
    case 'method_not_allowed':
      return route.oauthErrors ?? 'invalid_request'
    case 'internal':
      return 'server_error'
    case 'not_found':
    case 'sign_in_handed_back':
      return 'invalid_request'
    case 'service_unavailable':
      return 'temporarily_unavailable'
    default:
      return problem.code
  }
}

/**
 * RFC 6749, section 5.2: every malformed request is 400. OpenID4VCI 1.0, sections 8.3.1.2, 9.3 and 11.3: every error of
 * the endpoints for credentials is 400, also a body over its limit.
 */
export function oauthStatusOf(problem: ProblemName, { oauthErrors }: Route): number {
  if (problem === 'payload_too_large') return oauthErrors === 'invalid_request' ? statusOf(problem) : 400
  return problem === 'unsupported_media_type' ? 400 : statusOf(problem)
}

/** Returns the problems that the route declares and those that the pipeline can throw before the handler. */
export function problemsOf(route: Route): Set<ProblemName> {
  const { access, body, host, isOfViews, representations, problems = [] } = route
  const always: ProblemName[] = ['internal', 'bad_request']
  // The tenant of the host is read from the database, which can be unreachable.
  if (isOfViews) always.push('gone')
  if (host !== 'any') always.push('not_found', 'service_unavailable', 'too_many_requests')
  if (access.kind === 'operators') always.push('unauthorized', 'wrong_management_token', 'forbidden')
  if (access.kind === 'wallet') {
    always.push('missing_token', 'invalid_token', 'insufficient_scope')
    always.push('invalid_dpop_proof_at_resource', 'use_dpop_nonce_at_resource')
  }
  if (representations?.isStrict) always.push('not_acceptable')
  if (representations?.ranges) always.push('range_not_satisfiable')
  if (acceptsIdempotencyKey(route)) always.push('conflict', 'idempotency_key_reused')
  if (body) always.push('malformed_body', 'payload_too_large', 'unsupported_media_type')
  if (isMultipart(route.consumes)) always.push('request_timeout')
  return new Set([...problems, ...always])
}

/** Returns the `error_description`. It may only have %x20-21 / %x23-5B / %x5D-7E (RFC 6749, section 5.2). */
export function descriptionOf(problem: Problem): string {
  const fields = problem.details?.map(({ param, msg }) => `${param}: ${msg}`) ?? []
  return [problem.message, ...fields]
    .join('; ')
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** Limits the answer to a body with many errors. */
const maxDetails = 100

/** Returns one detail for each field that a schema refused, at most 100. */
export function detailsOf(
  error: z.ZodError,
  location: ProblemDetail['location'],
  input: unknown,
  secrets: ReadonlySet<string>,
): ProblemDetail[] {
  const isSecret = (path: PropertyKey[]) => {
    const name = path.findLast((key) => typeof key === 'string')
    return name === undefined ? secrets.size > 0 : secrets.has(name)
  }
  return fieldIssues(error.issues.slice(0, maxDetails))
    .slice(0, maxDetails)
    .map(({ code, path, message }) => {
      const value = valueAt(input, path)
      // A value can be one of several in one text: `ids=a,b`.
      const isAbsent = value === undefined && typeof valueAt(input, path.slice(0, -1)) !== 'string'
      return {
        ...(isSecret(path) || !isShort(value) ? {} : { value }),
        // Replaces the schema's own message too.
        msg: isAbsent && code !== 'custom' ? 'Required' : message,
        param: dottedPath(path),
        location,
      }
    })
}

/** Returns the refused value. Returns undefined if the input has none. */
function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** Whether the answer repeats the value. */
function isShort(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 200)
}

/** Parses one part of a request. Throws `bad_request` with the invalid fields. */
export function parsePart(schema: z.ZodType, input: unknown, location: ProblemDetail['location']): unknown {
  const result = compiledOf(schema).safeParse(input, { error: validationMessage })
  if (result.success) return result.data
  throw new Problem('bad_request', { details: detailsOf(result.error, location, input, secretNames(schema)) })
}
