import { expect, test } from 'vitest'
import { checkOfOlderEvent } from '../../../api/issuance/offers/checks-of-older-events.ts'
import type { CheckName, RequestKind } from '../../../shared/domain/issuance/checks.ts'

const proof = 'invalid_proof: The proof is not acceptable.'
const token = "SignInFailed: the component's session_token:"

const stored: [RequestKind, string, CheckName][] = [
  ['authorization', 'invalid_request: The request_uri is wrong, expired or already used', 'pushed_request'],
  ['authorization', 'invalid_request: The client x with the redirect_uri y is not known here', 'client'],
  ['authorization', 'unsupported_response_type: Only the response type code is supported', 'parameters'],
  ['authorization', 'invalid_request: code_challenge is missing', 'code_challenge'],
  ['authorization', 'server_error: The identity provider cannot be reached', 'provider_reached'],
  ['pushed', 'invalid_dpop_proof: dpop_jkt is not the key of the DPoP proof', 'dpop_jkt'],
  ['pushed', 'invalid_scope: No credential is asked for that is issued here', 'requested_credentials'],
  ['signIn', 'SignInExpired: The sign-in took too long, or was ended', 'sign_in_state'],
  ['signIn', 'access_denied: The sign-in was cancelled', 'sign_in_consent'],
  ['signIn', 'server_error: The identity provider refused the sign-in', 'provider_error'],
  ['signIn', 'server_error: The identity provider was changed during the sign-in', 'provider_settings'],
  ['signIn', 'server_error: The identity provider gave no valid answer: unexpected JWT "aud"', 'id_token'],
  ['signIn', 'server_error: The identity provider gave no valid answer: timeout', 'provider_code'],
  ['interaction', `${token} state is missing`, 'session_token_form'],
  ['interaction', `${token} alg is none, not HS256`, 'session_token_signature'],
  ['interaction', `${token} iat lies in the future (check the clocks)`, 'session_token_times'],
  ['interaction', `${token} aud is x, expected y`, 'session_token_parties'],
  ['interaction', `${token} claims is not an object`, 'session_token_content'],
  ['preAuthorizedToken', 'invalid_client_attestation: The client attestation is not acceptable', 'client_attestation'],
  ['preAuthorizedToken', 'invalid_grant: The offer is expired', 'code_expiry'],
  ['preAuthorizedToken', 'invalid_request: tx_code is missing', 'transaction_code_sent'],
  ['preAuthorizedToken', 'invalid_grant: The offer ended with the third wrong tx_code', 'transaction_code'],
  ['codeToken', 'use_dpop_nonce: The DPoP proof needs the nonce of this answer', 'dpop_proof'],
  ['codeToken', 'invalid_grant: The code is of another client', 'code_client'],
  ['codeToken', 'invalid_grant: The code was used before. The tokens issued for it are revoked', 'code_unused'],
  ['codeToken', 'invalid_grant: The redirect_uri is not the one of the authorization request', 'redirect_uri'],
  ['codeToken', 'invalid_request: code_verifier is missing', 'code_verifier'],
  ['codeToken', 'invalid_dpop_proof: The code is bound to a key: a DPoP proof is required', 'dpop_key'],
  ['codeToken', 'invalid_authorization_details: The authorization_details are not acceptable', 'authorization_details'],
  ['codeToken', 'invalid_grant: The refresh token is wrong, expired or used', 'refresh_token'],
  ['credential', 'invalid_token: The access token has expired', 'access_token'],
  ['credential', 'invalid_token: A bearer token was sent as a DPoP token', 'access_token_key'],
  ['credential', 'BadRequest: Validation Error; proofs: Required', 'request_form'],
  ['credential', 'invalid_encryption_parameters: The request must be encrypted', 'encryption'],
  ['credential', 'unknown_credential_identifier: Not an identifier of this offer', 'configuration'],
  ['credential', 'invalid_proof: proofs is missing', 'proof_form'],
  ['credential', 'invalid_proof: The keys must be attested', 'key_attestation'],
  ['credential', `${proof} Its key cannot be used`, 'proof_key'],
  ['credential', `${proof} Its signature is wrong`, 'proof_signature'],
  ['credential', `${proof} Its aud is not this issuer`, 'proof_audience'],
  ['credential', `${proof} It is expired`, 'proof_times'],
  ['credential', `${proof} Its iss is another client`, 'proof_issuer'],
  ['credential', 'invalid_nonce: The c_nonce is wrong, expired or used', 'nonce'],
  [
    'credential',
    'credential_request_denied: At most 1 credentials can be collected with one access token',
    'batch_size',
  ],
  ['credential', 'credential_request_denied: This credential will not be issued', 'collected_once'],
  ['credential', 'credential_request_denied: The claim given_name is missing', 'claims'],
  ['credential', 'ServiceUnavailable: Not available at the moment, try again', 'signed_in_time'],
  ['deferred', 'invalid_transaction_id: The transaction_id is unknown or used', 'transaction_id'],
  ['deferred', 'ServiceUnavailable: Not available at the moment, try again', 'service'],
  ['notification', 'invalid_notification_id: The notification_id is unknown', 'notification_id'],
  ['notification', 'credential_failure: The wallet says that it could not take the credential', 'taken_by_wallet'],
  ['claimSource', 'missing: The claim source was deleted', 'source_there'],
  ['claimSource', 'no_token: The token endpoint of the source issued no bearer token', 'source_token'],
  ['claimSource', 'timeout: The time for the call ran out', 'source_reached'],
  ['claimSource', 'status: The source did not answer with a success status: 500', 'source_status'],
  ['claimSource', 'no_object: The source did not answer with a JSON object', 'source_content'],
  ['notification', 'UnsupportedMediaType: This media type is not taken here', 'request'],
]

test.each(stored)('an older event of the kind %s with the error "%s" names %s', (kind, refusal, check) => {
  expect(checkOfOlderEvent(kind, refusal)).toBe(check)
})
