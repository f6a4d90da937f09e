import type { CheckName } from '../domain/issuance/checks.ts'
import { looksSecret } from '../secrets/looks-secret.ts'

/** All errors of responses: HTTP status, code and message (decisions: errors). */
const problems = {
  bad_request: [400, 'BadRequest', 'Validation Error'],
  malformed_body: [400, 'BadRequest', 'The body is not valid JSON'],
  verification_failed: [400, 'BadRequest', 'Verification failed'],
  sender_mismatch: [400, 'SenderMismatch', 'The sender in the message is not the owner of the key that encrypted it'],
  unauthorized: [401, 'Unauthorized', 'Unauthorized'],
  wrong_management_token: [
    401,
    'Unauthorized',
    'The access token is not valid for this host. Request one at /oauth/token.',
  ],
  forbidden: [403, 'Forbidden', 'Forbidden'],
  not_found: [404, 'NotFound', 'Resource Not Found'],
  no_crl: [
    404,
    'NoCertificateRevocationList',
    'This service does not have the key of this authority, so it does not publish its revocation list',
  ],
  method_not_allowed: [405, 'MethodNotAllowed', 'Method Not Allowed'],
  not_acceptable: [406, 'NotAcceptable', 'No media type of the Accept header is available'],
  request_timeout: [408, 'RequestTimeout', 'The upload was too slow. Send the file again over a faster connection.'],
  conflict: [409, 'Conflict', 'Conflict'],
  gone: [410, 'Gone', 'Gone'],
  precondition_failed: [412, 'PreconditionFailed', 'The resource has changed since it was read. Read it again.'],
  payload_too_large: [413, 'PayloadTooLarge', 'The body is larger than this operation allows'],
  idempotency_key_reused: [
    422,
    'IdempotencyKeyReused',
    'This Idempotency-Key was used for another request. Use a new key for each request.',
  ],
  unsupported_media_type: [415, 'UnsupportedMediaType', 'This media type is not supported'],
  range_not_satisfiable: [416, 'RangeNotSatisfiable', 'The range is outside of the content'],
  too_many_requests: [429, 'TooManyRequests', 'Too Many Requests'],
  internal: [500, 'InternalServerError', 'Something went wrong on our side'],
  not_implemented: [501, 'NotImplemented', 'Not supported here'],
  service_unavailable: [503, 'ServiceUnavailable', 'Not available at the moment. Try again.'],

  // RFC 6749, section 5.2, and OpenID4VCI 1.0, section 6.3
  access_denied: [401, 'access_denied', 'Unauthorized'],
  invalid_request: [400, 'invalid_request', 'The request is malformed'],
  invalid_client: [401, 'invalid_client', 'Client authentication failed'],
  invalid_grant: [400, 'invalid_grant', 'The code is wrong, expired or used'],
  unsupported_grant_type: [400, 'unsupported_grant_type', 'This grant type is not supported'],
  invalid_authorization_details: [400, 'invalid_authorization_details', 'The authorization_details are not acceptable'],

  // RFC 6749, section 4.1.2.1, RFC 9101, section 6.4, and RFC 9396, section 5
  unauthorized_client: [400, 'unauthorized_client', 'This client is not allowed to do this'],
  unsupported_response_type: [400, 'unsupported_response_type', 'Only the response type code is supported'],
  invalid_scope: [400, 'invalid_scope', 'The scope names no credential of this issuer'],
  request_not_supported: [400, 'request_not_supported', 'Request objects are not supported'],
  sign_in_unavailable: [400, 'server_error', 'Sign-in is not possible here'],
  sign_in_cancelled: [400, 'access_denied', 'The sign-in was cancelled'],
  sign_in_of_other: [400, 'access_denied', 'The credential is for another person than the one who signed in'],
  sign_in_failed: [400, 'SignInFailed', 'The sign-in could not be completed'],
  sign_in_step_failed: [
    400,
    'SignInFailed',
    'The sign-in could not be completed: the response of the step after it is invalid',
  ],
  sign_in_handed_back: [400, 'SignInHandedBack', 'The sign-in was completed before'],
  sign_in_expired: [400, 'SignInExpired', 'The sign-in took too long or was ended'],

  // RFC 9449, sections 5, 7.1, 8 and 9
  invalid_dpop_proof: [400, 'invalid_dpop_proof', 'The DPoP proof is missing or not acceptable'],
  use_dpop_nonce: [400, 'use_dpop_nonce', 'The DPoP proof must contain the nonce of this response'],
  invalid_dpop_proof_at_resource: [401, 'invalid_dpop_proof', 'The DPoP proof is missing or not acceptable'],
  use_dpop_nonce_at_resource: [401, 'use_dpop_nonce', 'The DPoP proof must contain the nonce of this response'],
  invalid_client_attestation: [401, 'invalid_client_attestation', 'The client attestation is not acceptable'],
  use_attestation_challenge: [
    400,
    'use_attestation_challenge',
    'The proof of possession must contain the challenge of this response',
  ],

  // RFC 6750, section 3.1, and OpenID4VCI 1.0, section 8.3.1
  missing_token: [401, 'invalid_token', 'An access token is required'],
  invalid_token: [401, 'invalid_token', 'The access token is wrong or expired'],
  insufficient_scope: [403, 'insufficient_scope', 'The access token has no scope of a credential'],
  invalid_credential_request: [400, 'invalid_credential_request', 'The credential request is malformed'],
  unknown_credential_configuration: [400, 'unknown_credential_configuration', 'Not a configuration of this offer'],
  unknown_credential_identifier: [400, 'unknown_credential_identifier', 'Not an identifier of this offer'],
  invalid_proof: [400, 'invalid_proof', 'The proof is missing or not acceptable'],
  invalid_nonce: [400, 'invalid_nonce', 'The c_nonce is wrong, expired or used'],
  invalid_encryption_parameters: [400, 'invalid_encryption_parameters', 'The encryption parameters are not acceptable'],
  invalid_transaction_id: [400, 'invalid_transaction_id', 'The transaction_id is unknown or used'],
  invalid_notification_id: [400, 'invalid_notification_id', 'The notification_id is unknown'],
  failed_at_wallet: [400, 'credential_failure', 'The wallet reports that it could not accept the credential'],
  invalid_notification_request: [400, 'invalid_notification_request', 'The notification is malformed'],
  credential_request_denied: [400, 'credential_request_denied', 'This credential will not be issued'],
  collected_enough: [
    400,
    'credential_request_denied',
    'This access token has collected the maximum number of credentials. More require a new authorization.',
  ],
} as const satisfies Record<string, readonly [status: number, code: string, message: string]>

export type ProblemName = keyof typeof problems

export const problemNames = Object.keys(problems) as ProblemName[]

/** The failed check of a problem that is thrown without a `check`. */
const defaultChecks: { [name in ProblemName]?: CheckName } = {
  bad_request: 'request_form',
  malformed_body: 'request_form',
  too_many_requests: 'service',
  internal: 'service',
  service_unavailable: 'service',
  invalid_client: 'client_attestation',
  invalid_authorization_details: 'requested_credentials',
  unsupported_response_type: 'parameters',
  invalid_scope: 'requested_credentials',
  request_not_supported: 'parameters',
  sign_in_cancelled: 'sign_in_consent',
  sign_in_of_other: 'sign_in_consent',
  sign_in_failed: 'sign_in_state',
  sign_in_handed_back: 'sign_in_state',
  sign_in_expired: 'sign_in_state',
  invalid_dpop_proof: 'dpop_proof',
  use_dpop_nonce: 'dpop_proof',
  invalid_dpop_proof_at_resource: 'dpop_proof',
  use_dpop_nonce_at_resource: 'dpop_proof',
  invalid_client_attestation: 'client_attestation',
  use_attestation_challenge: 'client_attestation',
  invalid_token: 'access_token',
  insufficient_scope: 'token_scope',
  invalid_credential_request: 'request_form',
  unknown_credential_configuration: 'configuration',
  unknown_credential_identifier: 'configuration',
  invalid_nonce: 'nonce',
  invalid_encryption_parameters: 'encryption',
  invalid_transaction_id: 'transaction_id',
  invalid_notification_id: 'notification_id',
  failed_at_wallet: 'taken_by_wallet',
  invalid_notification_request: 'request_form',
  credential_request_denied: 'claims',
  collected_enough: 'batch_size',
}

export interface ProblemDetail {
  /** `Problem` omits a value that looks like a secret. */
  value?: unknown
  msg: string
  /** The dotted path of the field. */
  param: string
  location: 'body' | 'params' | 'query' | 'headers'
  /** The operation that lists what the field can refer to, such as `GET /v1/users`. */
  see?: string
}

export interface ProblemOptions {
  /** The message of the response. The default is that of the table. */
  message?: string
  details?: ProblemDetail[]
  /** Headers of the response. */
  headers?: Record<string, string | string[]>
  /** The value of `Retry-After`. */
  retryAfterSeconds?: number
  /** The reason for the operator, in events. The response does not contain it. */
  reason?: string
  /** The failed check, for the timeline of an offer. Never part of an error response. */
  check?: CheckName | undefined
  /** The request had a wrong secret, code or token. Rate limits count these. */
  isWrongSecret?: boolean
  /** A transaction code was wrong. It is short, so it has a rate limit of its own. */
  isWrongGuess?: boolean
  /** A link for the problem page: the redirect URI of a registered wallet, with the error. */
  returnTo?: string | undefined
  /** The cause, for the log only. */
  cause?: unknown
}

/** An error that the response describes. Any other thrown error is a bug, and the response is 500 with a fixed text. */
export class Problem extends Error {
  readonly problem: ProblemName
  readonly details: ProblemDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Record<string, string | string[]>
  readonly isWrongSecret: boolean
  readonly isWrongGuess: boolean
  /** The reason in events. The default is the message. */
  readonly reason: string
  /** The failed check, for the timeline of an offer. */
  readonly check: CheckName | undefined
  /** A link for the problem page (`withReturnTo`). The service does not redirect to it. */
  readonly returnTo: string | undefined

  constructor(problem: ProblemName, options: ProblemOptions = {}) {
    super(options.message ?? problems[problem][2], { cause: options.cause })
    this.name = 'Problem'
    this.problem = problem
    this.details = options.details?.map(withoutSecret)
    // RFC 9110, section 15.6.4: each 503 says when to try again.
    this.retryAfterSeconds = options.retryAfterSeconds ?? (problem === 'service_unavailable' ? 2 : undefined)
    this.headers = options.headers ?? {}
    this.isWrongSecret = options.isWrongSecret ?? false
    this.isWrongGuess = options.isWrongGuess ?? false
    this.reason = options.reason ?? this.message
    this.check = options.check ?? defaultChecks[problem]
    this.returnTo = options.returnTo
  }

  get status(): number {
    return problems[this.problem][0]
  }

  get code(): string {
    return problems[this.problem][1]
  }
}

/** Returns a copy of the problem with a link for the problem page. */
export function withReturnTo(problem: Problem, returnTo: string): Problem {
  return copyOf(problem, { returnTo })
}

/** Returns a copy of the problem that names another failed check. */
export function withCheck(problem: Problem, check: CheckName): Problem {
  return copyOf(problem, { check })
}

function copyOf(source: Problem, changes: ProblemOptions): Problem {
  const { problem, message, reason, details, headers, retryAfterSeconds } = source
  const { isWrongSecret, isWrongGuess, check, returnTo, cause } = source
  return new Problem(problem, {
    ...{ message, reason, headers, isWrongSecret, isWrongGuess, check, returnTo, cause },
    ...(details && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...changes,
  })
}

function withoutSecret(detail: ProblemDetail): ProblemDetail {
  if (!looksSecret(detail.value)) return detail
  const { value: _secret, ...rest } = detail
  return rest
}

/** The problem that was thrown, by itself or, as Drizzle does, inside of another error. */
export function findProblem(error: unknown): Problem | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof Problem) return each
  return undefined
}

/** Returns whether an error says that a dependency is unavailable or aborted the work. The work can be tried again. */
export function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.problem === 'service_unavailable'
}

/** A wrong field of a request body. */
export function wrongField(param: string, msg: string, value?: unknown): Problem {
  return new Problem('bad_request', {
    details: [{ msg, param, location: 'body', ...(value === undefined ? {} : { value }) }],
  })
}

/** Creates the problem of an id in the path that does not exist in this tenant. `see` is the operation that lists the possible ids. */
export function notFound(param: string, value?: string, see?: string): Problem {
  const named = { ...(value === undefined ? {} : { value }), ...(see === undefined ? {} : { see }) }
  return new Problem('not_found', { details: [{ msg: 'Resource Not Found', param, location: 'params', ...named }] })
}

/** A problem as a worker sends it to the caller that waits for the job. It does not contain what only the worker logs. */
export interface WireProblem extends Omit<ProblemOptions, 'returnTo' | 'cause'> {
  problem: ProblemName
}

export function toWireProblem(thrown: Problem): WireProblem {
  const { problem, message, reason, check, details, headers, retryAfterSeconds } = thrown
  return {
    problem,
    message,
    ...(reason === message ? {} : { reason }),
    ...(check === defaultChecks[problem] ? {} : { check }),
    ...(details ? { details } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

export function fromWireProblem({ problem, ...options }: WireProblem): Problem {
  return new Problem(problem, options)
}

export function isProblemName(name: string): name is ProblemName {
  return Object.hasOwn(problems, name)
}

export function statusOf(problem: ProblemName): number {
  return problems[problem][0]
}

export function codeOf(problem: ProblemName): string {
  return problems[problem][1]
}
