import type { CheckName, RequestKind } from '../../../shared/domain/issuance/checks.ts'

/**
 * Returns the check that refused a request, for an event that was stored without a check. `refusal` is the error of the
 * event: `code: reason`. Newer events store the check.
 */
export function checkOfOlderEvent(kind: RequestKind, refusal: string): CheckName {
  const check = refusals[kind]?.find(([, pattern]) => pattern.test(refusal))
  if (check) return check[0]
  return /^(InternalServerError|ServiceUnavailable|TooManyRequests): /.test(refusal) ? 'service' : 'request'
}

type Refusal = readonly [check: CheckName, pattern: RegExp]

const dpopProof: Refusal = [
  'dpop_proof',
  /^(invalid_dpop_proof: (?!dpop_jkt is|The code is|The refresh token is)|use_dpop_nonce: )/,
]
const attestation: Refusal = ['client_attestation', /^(invalid_client_attestation|invalid_client): /]

const requested: Refusal[] = [
  ['client', /^invalid_request: (The client .* is not known here$|client_id or redirect_uri is missing)/],
  [
    'parameters',
    /^(request_not_supported|unsupported_response_type): |^invalid_request: (response_type|Only the response_mode|state is)/,
  ],
  ['code_challenge', /^invalid_request: code_challenge/],
  ['dpop_jkt', /^(invalid_request|invalid_dpop_proof): dpop_jkt is/],
  ['requested_credentials', /^(invalid_scope|invalid_authorization_details): /],
]
const pushed: Refusal = [
  'pushed_request',
  /^invalid_request: (The request_uri is|The request (must|has to) be pushed|request_uri may not)/,
]
const signInState: Refusal = ['sign_in_state', /^(SignInExpired|SignInFailed|SignInHandedBack): (?!the component's)/]
const details: Refusal = ['authorization_details', /^invalid_authorization_details: /]
const accessToken: Refusal[] = [
  ['access_token', /^invalid_token: (The access token|The grant of the access token|What the access token)/],
  ['access_token_key', /^invalid_token: (A bearer|A DPoP|The DPoP)/],
  dpopProof,
]
const encryption: Refusal = ['encryption', /^invalid_encryption_parameters: /]
const collectedOnce: Refusal = ['collected_once', /^credential_request_denied: This credential will/]

const ofToken = (fault: string) => new RegExp(`^SignIn\\w+: the component's session_token: ${fault}`)
const ofProof = (fault: string) => new RegExp(`^invalid_proof: The proof is not acceptable\\. ${fault}`)

/** The refusals of each kind of request. The first match counts. */
const refusals: Partial<Record<RequestKind, Refusal[]>> = {
  authorization: [pushed, ...requested, ['provider_reached', /^server_error: /]],
  pushed: [dpopProof, attestation, pushed, ...requested],
  signIn: [
    signInState,
    ['sign_in_consent', /^access_denied: /],
    ['provider_error', /^server_error: The identity provider refused/],
    ['provider_settings', /^server_error: The identity provider (is not|was changed)/],
    ['id_token', /^server_error: The identity provider gave no valid answer: .*(JWT|ID Token)/i],
    ['provider_code', /^server_error: /],
  ],
  interaction: [
    ['session_token_form', ofToken('(it is not a JWT$|state is missing)')],
    signInState,
    ['session_token_signature', ofToken('(signature is|alg is|it is not a JWT that)')],
    ['session_token_times', ofToken('(it is expired|nbf |iat lies|exp is more)')],
    ['session_token_parties', ofToken('(iss|aud) is ')],
    ['session_token_content', ofToken('')],
  ],
  preAuthorizedToken: [
    dpopProof,
    attestation,
    ['code_expiry', /^invalid_grant: The offer is expired/],
    ['transaction_code_sent', /^invalid_request: (tx_code is missing|This offer has no tx_code)/],
    details,
    ['transaction_code', /^invalid_grant: (The tx_code is wrong|The offer ended with)/],
    ['code_unused', /^invalid_grant: The code was used before/],
  ],
  codeToken: [
    dpopProof,
    attestation,
    ['code_client', /^invalid_grant: The code is of another client/],
    ['code_expiry', /^invalid_grant: The code is (expired|wrong)/],
    ['code_unused', /^invalid_grant: The code was used before/],
    ['redirect_uri', /^invalid_grant: The redirect_uri is (not the one|another)/],
    ['code_verifier', /^(invalid_grant|invalid_request): (The )?code_verifier is/],
    ['dpop_key', /^(invalid_grant|invalid_dpop_proof): (The code|The refresh token|It) is bound/],
    details,
    ['refresh_token', /^(invalid_grant|invalid_request): (The )?refresh.token/],
  ],
  credential: [
    ...accessToken,
    ['request_form', /^(invalid_credential_request|BadRequest): /],
    encryption,
    ['configuration', /^unknown_credential_(configuration|identifier): /],
    [
      'proof_form',
      /^invalid_proof: (proofs?\b|Only proofs|\d+ to|A proof|The proof is missing|The proof is not acceptable\. It is (not a JWS|wrong in))/,
    ],
    [
      'key_attestation',
      /^invalid_proof: (The key|Proofs of type|The proof is not acceptable\. Its key (attestation|is not one of))/,
    ],
    ['proof_key', /^invalid_proof: (Two proofs|The proof .*\. (It must name|With x5c|Its key|Its alg))/],
    ['proof_signature', ofProof('Its signature is wrong')],
    ['proof_audience', ofProof('Its aud is')],
    ['proof_times', ofProof('(Its iat is|It is expired|It is not valid yet)')],
    ['proof_issuer', ofProof('Its iss is')],
    ['nonce', /^invalid_nonce: |^invalid_proof: The nonce of the proof/],
    [
      'batch_size',
      /^credential_request_denied: (This access token has collected|At most \d+ credentials can be collected|Here \d+ can be)/,
    ],
    collectedOnce,
    ['claims', /^credential_request_denied: /],
    ['signed_in_time', /^ServiceUnavailable: /],
  ],
  deferred: [
    ...accessToken,
    ['request_form', /^(invalid_credential_request|BadRequest): /],
    encryption,
    ['transaction_id', /^invalid_transaction_id: /],
    collectedOnce,
  ],
  notification: [
    ...accessToken,
    ['request_form', /^(invalid_notification_request|BadRequest): /],
    ['notification_id', /^invalid_notification_id: /],
    ['taken_by_wallet', /^credential_failure: /],
  ],
  claimSource: [
    ['source_there', /^missing: /],
    ['source_token', /^no_token: /],
    ['source_reached', /^(refused_\w+|dns|connection|tls|timeout|too_large|redirect): /],
    ['source_status', /^status: /],
    ['source_content', /^no_object: /],
  ],
}
