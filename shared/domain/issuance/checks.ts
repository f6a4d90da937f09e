const vci = (where: string) => `OpenID4VCI 1.0, ${where}`
const core = (section: string) => `OpenID Connect Core 1.0, section ${section}`

/** The kinds of requests and calls that an offer's timeline checks. */
export type RequestKind =
  | 'authorization'
  | 'pushed'
  | 'review'
  | 'signIn'
  | 'interaction'
  | 'preAuthorizedToken'
  | 'codeToken'
  | 'credential'
  | 'deferred'
  | 'notification'
  | 'claimSource'
  | 'signing'
  | 'webhook'

/** The clause that requires a check, for all kinds of requests or for each kind. */
type Clause = string | Partial<Record<RequestKind, string>>

/** The checks that an offer's timeline names, with their clauses. */
const checks = {
  pushed_request: 'RFC 9126, section 4',
  client: 'RFC 6749, section 3.1.2.4',
  parameters: 'RFC 6749, section 4.1.1',
  code_challenge: 'RFC 7636, section 4.3',
  dpop_jkt: 'RFC 9449, section 10',
  requested_credentials: vci('section 5.1'),
  provider_reached: 'OpenID Connect Discovery 1.0, section 4',
  sign_in_state: 'RFC 6749, section 10.12',
  review_confirmed: vci('section 15.1'),
  sign_in_consent: core('3.1.2.6'),
  provider_error: core('3.1.2.6'),
  provider_settings: 'RFC 9700, section 4.4',
  provider_code: core('3.1.3.3'),
  id_token: core('3.1.3.7'),
  session_token_form: 'RFC 7519, section 7.2',
  session_token_signature: 'RFC 7515, section 5.2',
  session_token_parties: 'RFC 7519, section 4.1.3',
  session_token_times: 'RFC 7519, section 4.1.4',
  session_token_content: 'RFC 7519, section 4',
  dpop_proof: 'RFC 9449, section 4.3',
  client_attestation: vci('appendix E'),
  code_expiry: { preAuthorizedToken: vci('section 6.3'), codeToken: 'RFC 6749, section 4.1.2' },
  code_client: 'RFC 6749, section 4.1.3',
  code_unused: { preAuthorizedToken: vci('section 3.5'), codeToken: 'RFC 6749, section 4.1.2' },
  redirect_uri: 'RFC 6749, section 4.1.3',
  code_verifier: 'RFC 7636, section 4.6',
  dpop_key: 'RFC 9449, section 10',
  transaction_code_sent: vci('section 6.1'),
  transaction_code: vci('section 6.3'),
  authorization_details: vci('section 5.1.1'),
  refresh_token: 'RFC 6749, section 6',
  token_server: 'RFC 8414, section 3',
  token_signature: 'RFC 9068, section 4',
  token_active: 'RFC 7662, section 2.2',
  token_form: 'RFC 9068, section 2',
  token_issuer: 'RFC 9068, section 4',
  token_audience: 'RFC 9068, section 4',
  token_times: 'RFC 9068, section 4',
  token_offer: vci('section 5.1.3'),
  token_scope: 'RFC 6750, section 3.1',
  token_subject: 'RFC 9068, section 2.2',
  access_token: 'RFC 6750, section 3.1',
  access_token_key: 'RFC 9449, section 7.1',
  request_form: { credential: vci('section 8.2'), deferred: vci('section 9.1'), notification: vci('section 11.1') },
  encryption: vci('section 10'),
  configuration: vci('section 8.2'),
  proof_form: vci('appendix F.1'),
  key_attestation: vci('appendix D.1'),
  proof_key: vci('appendix F.4'),
  proof_signature: vci('appendix F.4'),
  proof_audience: vci('appendix F.4'),
  proof_times: vci('appendix F.4'),
  proof_issuer: vci('appendix F.1'),
  nonce: vci('section 8.2.1'),
  claim_source: vci('section 8.3.1'),
  claims: vci('section 8.3.1'),
  signer: vci('section 8.3.1'),
  validity: vci('section 8.3.1'),
  claim_link: vci('section 8.3.1'),
  batch_size: vci('section 8.3.1'),
  collected_once: vci('section 8.3.1'),
  signed_in_time: vci('section 9'),
  transaction_id: vci('section 9.1'),
  notification_id: vci('section 11.1'),
  taken_by_wallet: vci('section 11.1'),
  source_there: 'RFC 9110, section 15.5.5',
  source_token: 'RFC 6749, section 5.1',
  source_reached: 'RFC 9110, section 4.3',
  source_status: 'RFC 9110, section 15',
  source_content: 'RFC 8259, section 4',
  webhook_reached: 'RFC 9110, section 4.3',
  webhook_status: 'RFC 9110, section 15',
  service: 'RFC 9110, section 15.6',
  request: 'RFC 6749, section 5.2',
} as const satisfies Record<string, Clause>

export type CheckName = keyof typeof checks

// Boundary: `Object.keys` widens the names.
export const checkNames = Object.keys(checks) as CheckName[]

export function isCheckName(name: unknown): name is CheckName {
  return typeof name === 'string' && Object.hasOwn(checks, name)
}

export function clauseOf(check: CheckName, kind: RequestKind): string {
  const clause: Clause = checks[check]
  return typeof clause === 'string' ? clause : (clause[kind] ?? '')
}
