/**
 * One check of a request: its name, its clause in a standard, and the expression that matches its refusal in events
 * (`code: reason`).
 */
interface Check {
  name: CheckName
  clause: string
  refusal: RegExp
  /** Applies to some requests only. Listed only if it refuses a request. */
  isConditional?: true
}

export const checkNames = [
  ...[
    'pushed_request',
    'client',
    'parameters',
    'code_challenge',
    'dpop_jkt',
    'requested_credentials',
    'provider_reached',
  ],
  ...['sign_in_state', 'sign_in_consent', 'provider_error', 'provider_settings', 'provider_code', 'id_token'],
  ...['session_token_form', 'session_token_signature', 'session_token_parties', 'session_token_times'],
  ...['session_token_content', 'dpop_proof', 'client_attestation', 'code_expiry', 'code_client', 'code_unused'],
  ...[
    'redirect_uri',
    'code_verifier',
    'dpop_key',
    'transaction_code_sent',
    'transaction_code',
    'authorization_details',
  ],
  ...['refresh_token', 'access_token', 'access_token_key', 'request_form', 'encryption', 'configuration', 'proof_form'],
  ...['key_attestation', 'proof_key', 'proof_signature', 'proof_audience', 'proof_times', 'proof_issuer', 'nonce'],
  ...[
    'claims',
    'batch_size',
    'collected_once',
    'signed_in_time',
    'transaction_id',
    'notification_id',
    'taken_by_wallet',
  ],
  ...['source_there', 'source_token', 'source_reached', 'source_status', 'source_content', 'webhook_reached'],
  ...['webhook_status', 'service', 'request'],
] as const
export type CheckName = (typeof checkNames)[number]

const row = (name: CheckName, clause: string, refusal: RegExp): Check => ({ name, clause, refusal })
const conditional = (name: CheckName, clause: string, refusal: RegExp): Check => ({
  name,
  clause,
  refusal,
  isConditional: true,
})

const vci = (where: string) => `OpenID4VCI 1.0, ${where}`
const core = (section: string) => `OpenID Connect Core 1.0, section ${section}`

const service = conditional(
  'service',
  'RFC 9110, section 15.6',
  /^(InternalServerError|ServiceUnavailable|TooManyRequests): /,
)
const request = conditional('request', 'RFC 6749, section 5.2', /^/)

const dpopProof = row(
  'dpop_proof',
  'RFC 9449, section 4.3',
  /^(invalid_dpop_proof: (?!dpop_jkt is|The code is|The refresh token is)|use_dpop_nonce: )/,
)
const attestation = row('client_attestation', vci('appendix E'), /^(invalid_client_attestation|invalid_client): /)

const requested = [
  row(
    'client',
    'RFC 6749, section 3.1.2.4',
    /^invalid_request: (The client .* is not known here$|client_id or redirect_uri is missing)/,
  ),
  row(
    'parameters',
    'RFC 6749, section 4.1.1',
    /^(request_not_supported|unsupported_response_type): |^invalid_request: (response_type|Only the response_mode|state is)/,
  ),
  row('code_challenge', 'RFC 7636, section 4.3', /^invalid_request: code_challenge/),
  row('dpop_jkt', 'RFC 9449, section 10', /^(invalid_request|invalid_dpop_proof): dpop_jkt is/),
  row('requested_credentials', vci('section 5.1'), /^(invalid_scope|invalid_authorization_details): /),
]
const pushed = row(
  'pushed_request',
  'RFC 9126, section 4',
  /^invalid_request: (The request_uri is|The request (must|has to) be pushed|request_uri may not)/,
)
const signInState = row(
  'sign_in_state',
  'RFC 6749, section 10.12',
  /^(SignInExpired|SignInFailed|SignInHandedBack): (?!the component's)/,
)
const details = row('authorization_details', vci('section 5.1.1'), /^invalid_authorization_details: /)
const accessToken = [
  row(
    'access_token',
    'RFC 6750, section 3.1',
    /^invalid_token: (The access token|The grant of the access token|What the access token)/,
  ),
  row('access_token_key', 'RFC 9449, section 7.1', /^invalid_token: (A bearer|A DPoP|The DPoP)/),
  dpopProof,
]
const encryption = row('encryption', vci('section 10'), /^invalid_encryption_parameters: /)
const collectedOnce = row(
  'collected_once',
  vci('section 8.3.1'),
  /^credential_request_denied: This credential will|^The signing process refused it|^It was refused where/,
)
const notSignedInTime = /^ServiceUnavailable: |^It was not signed in time/

/** Matches the reason of a refused session token (authorization/interaction/session-token.ts). */
const ofToken = (fault: string) => new RegExp(`^SignIn\\w+: the component's session_token: ${fault}`)
const ofProof = (fault: string) => new RegExp(`^invalid_proof: The proof is not acceptable\\. ${fault}`)

/**
 * The checks of each kind of request, in their order of execution. The first match names the check that refused the
 * request.
 */
export const checksOf = {
  authorization: [
    pushed,
    ...requested,
    row('provider_reached', 'OpenID Connect Discovery 1.0, section 4', /^server_error: /),
  ],
  pushed: [dpopProof, attestation, pushed, ...requested],
  signIn: [
    signInState,
    row('sign_in_consent', core('3.1.2.6'), /^access_denied: /),
    row('provider_error', core('3.1.2.6'), /^server_error: The identity provider refused/),
    row('provider_settings', 'RFC 9700, section 4.4', /^server_error: The identity provider (is not|was changed)/),
    row('id_token', core('3.1.3.7'), /^server_error: The identity provider gave no valid answer: .*(JWT|ID Token)/i),
    row('provider_code', core('3.1.3.3'), /^server_error: /),
  ],
  interaction: [
    row('session_token_form', 'RFC 7519, section 7.2', ofToken('(it is not a JWT$|state is missing)')),
    signInState,
    row('session_token_signature', 'RFC 7515, section 5.2', ofToken('(signature is|alg is|it is not a JWT that)')),
    row('session_token_times', 'RFC 7519, section 4.1.4', ofToken('(it is expired|nbf |iat lies|exp is more)')),
    row('session_token_parties', 'RFC 7519, section 4.1.3', ofToken('(iss|aud) is ')),
    row('session_token_content', 'RFC 7519, section 4', ofToken('')),
  ],
  preAuthorizedToken: [
    dpopProof,
    attestation,
    row('code_expiry', vci('section 6.3'), /^invalid_grant: The offer is expired/),
    row(
      'transaction_code_sent',
      vci('section 6.1'),
      /^invalid_request: (tx_code is missing|This offer has no tx_code)/,
    ),
    details,
    row('transaction_code', vci('section 6.3'), /^invalid_grant: (The tx_code is wrong|The offer ended with)/),
    row('code_unused', vci('section 3.5'), /^invalid_grant: The code was used before/),
  ],
  codeToken: [
    dpopProof,
    attestation,
    row('code_client', 'RFC 6749, section 4.1.3', /^invalid_grant: The code is of another client/),
    row('code_expiry', 'RFC 6749, section 4.1.2', /^invalid_grant: The code is (expired|wrong)/),
    row('code_unused', 'RFC 6749, section 4.1.2', /^invalid_grant: The code was used before/),
    row('redirect_uri', 'RFC 6749, section 4.1.3', /^invalid_grant: The redirect_uri is (not the one|another)/),
    row('code_verifier', 'RFC 7636, section 4.6', /^(invalid_grant|invalid_request): (The )?code_verifier is/),
    row(
      'dpop_key',
      'RFC 9449, section 10',
      /^(invalid_grant|invalid_dpop_proof): (The code|The refresh token|It) is bound/,
    ),
    details,
    conditional('refresh_token', 'RFC 6749, section 6', /^(invalid_grant|invalid_request): (The )?refresh.token/),
  ],
  credential: [
    ...accessToken,
    row('request_form', vci('section 8.2'), /^(invalid_credential_request|BadRequest): /),
    encryption,
    row('configuration', vci('section 8.2'), /^unknown_credential_(configuration|identifier): /),
    row(
      'proof_form',
      vci('appendix F.1'),
      /^invalid_proof: (proofs?\b|Only proofs|\d+ to|A proof|The proof is missing|The proof is not acceptable\. It is (not a JWS|wrong in))/,
    ),
    row(
      'key_attestation',
      vci('appendix D.1'),
      /^invalid_proof: (The key|Proofs of type|The proof is not acceptable\. Its key (attestation|is not one of))/,
    ),
    row(
      'proof_key',
      vci('appendix F.4'),
      /^invalid_proof: (Two proofs|The proof .*\. (It must name|With x5c|Its key|Its alg))/,
    ),
    row('proof_signature', vci('appendix F.4'), ofProof('Its signature is wrong')),
    row('proof_audience', vci('appendix F.4'), ofProof('Its aud is')),
    row('proof_times', vci('appendix F.4'), ofProof('(Its iat is|It is expired|It is not valid yet)')),
    row('proof_issuer', vci('appendix F.1'), ofProof('Its iss is')),
    row('nonce', vci('section 8.2.1'), /^invalid_nonce: |^invalid_proof: The nonce of the proof/),
    row(
      'batch_size',
      vci('section 8.3.1'),
      /^credential_request_denied: (This access token has collected|At most \d+ credentials can be collected|Here \d+ can be)/,
    ),
    collectedOnce,
    row('claims', vci('section 8.3.1'), /^credential_request_denied: /),
    conditional('signed_in_time', vci('section 9'), notSignedInTime),
  ],
  deferred: [
    ...accessToken,
    row('request_form', vci('section 9.1'), /^(invalid_credential_request|BadRequest): /),
    encryption,
    row('transaction_id', vci('section 9.1'), /^invalid_transaction_id: /),
    collectedOnce,
  ],
  notification: [
    ...accessToken,
    row('request_form', vci('section 11.1'), /^(invalid_notification_request|BadRequest): /),
    row('notification_id', vci('section 11.1'), /^invalid_notification_id: /),
    row('taken_by_wallet', vci('section 11.1'), /^credential_failure: /),
  ],
  claimSource: [
    row('source_there', 'RFC 9110, section 15.5.5', /^missing: /),
    row('source_token', 'RFC 6749, section 5.1', /^no_token: /),
    row('source_reached', 'RFC 9110, section 4.3', /^(refused_\w+|dns|connection|tls|timeout|too_large|redirect): /),
    row('source_status', 'RFC 9110, section 15', /^status: /),
    row('source_content', 'RFC 8259, section 4', /^no_object: /),
  ],
  signing: [collectedOnce, row('signed_in_time', vci('section 9'), notSignedInTime)],
  webhook: [
    row('webhook_reached', 'RFC 9110, section 4.3', /^(?!It answered)/),
    row('webhook_status', 'RFC 9110, section 15', /^/),
  ],
} satisfies Record<string, Check[]>

export type RequestKind = keyof typeof checksOf

/** The result of a request: the checks that it passed, and the check that refused it with its clause. */
export interface Checked {
  passed: CheckName[]
  refusedBy?: { check: CheckName; clause: string }
}

/**
 * Returns the checks of a request. `refusal` is the error in its event, `code: reason`. It is undefined for a request
 * that passed all checks.
 */
export function checkedBy(kind: RequestKind, refusal: string | undefined): Checked {
  const checks: readonly Check[] = checksOf[kind]
  if (refusal === undefined) return { passed: namesOf(checks) }
  const all = [...checks, service, request]
  const at = all.findIndex((check) => check.refusal.test(refusal))
  const refusing = all[at] ?? request
  const before = refusing === service || refusing === request ? [] : checks.slice(0, at)
  return { passed: namesOf(before), refusedBy: { check: refusing.name, clause: refusing.clause } }
}

function namesOf(checks: readonly Check[]): CheckName[] {
  return checks.flatMap(({ name, isConditional }) => (isConditional ? [] : [name]))
}
