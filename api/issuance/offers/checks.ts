import { type CheckName, clauseOf, type RequestKind } from '../../../shared/domain/issuance/checks.ts'

const requested = ['client', 'parameters', 'code_challenge', 'dpop_jkt', 'requested_credentials'] as const
/** The checks of an access token of an authorization server of the tenant. */
const externalToken = [
  ...(['token_server', 'token_signature', 'token_active', 'token_form', 'token_issuer', 'token_audience'] as const),
  ...(['token_times', 'token_offer', 'token_scope', 'token_subject'] as const),
]
const accessToken = [...externalToken, 'access_token', 'access_token_key', 'dpop_proof'] as const

/** The checks of proofs. A credential that is not bound to a key has none. */
const proofChecks: readonly CheckName[] = [
  'proof_form',
  'key_attestation',
  'proof_key',
  'proof_signature',
  'proof_audience',
  'proof_times',
  'proof_issuer',
  'nonce',
]

/** The checks of an accepted request until its credential is signed. */
const signingChecks = ['claims', 'signer', 'validity', 'claim_link', 'signed_in_time'] as const

/** The checks of each kind of request, in their order of execution. */
const checksOf: Record<RequestKind, readonly CheckName[]> = {
  authorization: ['pushed_request', ...requested, 'provider_reached'],
  pushed: ['dpop_proof', 'client_attestation', 'pushed_request', ...requested],
  review: ['sign_in_state', 'review_confirmed', 'provider_reached'],
  signIn: ['sign_in_state', 'sign_in_consent', 'provider_error', 'provider_settings', 'id_token', 'provider_code'],
  interaction: [
    'session_token_form',
    'sign_in_state',
    'session_token_signature',
    'session_token_times',
    'session_token_parties',
    'session_token_content',
  ],
  preAuthorizedToken: [
    'dpop_proof',
    'client_attestation',
    'code_expiry',
    'transaction_code_sent',
    'authorization_details',
    'transaction_code',
    'code_unused',
  ],
  codeToken: [
    'dpop_proof',
    'client_attestation',
    'code_client',
    'code_expiry',
    'code_unused',
    'redirect_uri',
    'code_verifier',
    'dpop_key',
    'authorization_details',
    'refresh_token',
  ],
  credential: [
    ...accessToken,
    'request_form',
    'encryption',
    'configuration',
    'batch_size',
    ...proofChecks,
    'collected_once',
    'claim_source',
    ...signingChecks,
  ],
  deferred: [
    ...accessToken,
    'request_form',
    'encryption',
    'transaction_id',
    'batch_size',
    'proof_form',
    'collected_once',
    ...signingChecks,
  ],
  notification: [...accessToken, 'request_form', 'notification_id', 'taken_by_wallet'],
  claimSource: ['source_there', 'source_token', 'source_reached', 'source_status', 'source_content'],
  signing: ['access_token', 'batch_size', 'proof_form', 'collected_once', ...signingChecks],
  webhook: ['webhook_reached', 'webhook_status'],
}

/** Whether the failure of a check ends the issuance itself, and not only one request for its credential. */
export function isCheckOfSigning(check: string): boolean {
  return check !== 'access_token' && checksOf.signing.some((each) => each === check)
}

/** The checks of each kind that apply to some requests only. Listed only if they refuse a request. */
const conditionalChecks: Partial<Record<RequestKind, readonly CheckName[]>> = {
  codeToken: ['refresh_token'],
  credential: [...externalToken, 'claim_source', 'signer', 'validity', 'claim_link', 'signed_in_time'],
  deferred: [...externalToken, 'batch_size', 'proof_form', ...signingChecks],
  notification: externalToken,
  signing: ['access_token', 'batch_size', 'proof_form', ...signingChecks],
}

/** The result of a request: the checks that it passed, and the check that refused it with its clause. */
export interface Checked {
  passed: CheckName[]
  refusedBy?: { check: CheckName; clause: string }
}

/** Returns the checks of a request. `refusing` is undefined for a request that passed all checks. */
export function checkedBy(kind: RequestKind, refusing: CheckName | undefined, { hasNoProofs = false } = {}): Checked {
  const checks = checksOf[kind].filter((check) => !hasNoProofs || !proofChecks.includes(check))
  const isListed = (check: CheckName) => !conditionalChecks[kind]?.includes(check)
  if (refusing === undefined) return { passed: checks.filter(isListed) }
  const at = checks.indexOf(refusing)
  const check = at >= 0 || refusing === 'service' ? refusing : 'request'
  return {
    passed: checks.slice(0, Math.max(0, at)).filter(isListed),
    refusedBy: { check, clause: clauseOf(check, kind) },
  }
}
