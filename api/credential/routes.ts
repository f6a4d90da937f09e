import { Answer, anyone, defineRoute, wallet } from '../http/route.ts'
import { issueCredential } from './issue.ts'
import { newNonce } from './nonce.ts'
import { openRequest } from './request-encryption.ts'
import { responseEncoding } from './response-encryption.ts'
import { CredentialRequest, CredentialResponse, NonceResponse } from './schemas.ts'

const tag = 'OpenID4VCI'

export const credentialRoutes = [
  defineRoute({
    operation: 'createNonce',
    summary: 'Get a fresh c_nonce for proofs',
    tag,
    method: 'POST',
    path: '/v1/openid/nonce',
    access: anyone,
    status: 200,
    response: NonceResponse,
    oauthErrors: 'invalid_request',
    async handle({ tenant, deps }) {
      return { c_nonce: newNonce(deps, tenant) }
    },
  }),
  defineRoute({
    operation: 'issueCredential',
    summary: 'Collect a credential',
    tag,
    method: 'POST',
    path: '/v1/openid/credential',
    access: wallet,
    event: 'OPENID_CREDENTIAL',
    body: CredentialRequest,
    consumes: ['application/json', 'application/jwt'],
    openBody: openRequest,
    status: 200,
    response: CredentialResponse,
    alsoProduces: 'application/jwt',
    problems: [
      'invalid_credential_request',
      'unknown_credential_configuration',
      'unknown_credential_identifier',
      'invalid_proof',
      'invalid_nonce',
      'invalid_encryption_parameters',
      'credential_request_denied',
      'service_unavailable',
    ],
    oauthErrors: 'invalid_credential_request',
    async handle(call) {
      const { tenant, holder, body, requestId, deps } = call
      const encoding = responseEncoding(call, body.credential_response_encryption)
      const { id, credentials } = await issueCredential(deps, tenant, holder(), body, requestId)
      const answer = { credentials: (credentials ?? []).map(({ credential }) => ({ credential })) }
      return new Answer(answer, { encoding, onSent: () => deps.sent.credentials(id) })
    },
  }),
]
