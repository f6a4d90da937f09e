import { Problem } from '../../../shared/errors/errors.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { sentMarks } from '../credential/sent-marks.ts'
import { newClientChallenge } from '../proofs/client-attestation.ts'
import { authenticateWallet } from '../wallets/wallet-authentication.ts'
import { attributeRefusedCode } from './attribute-code.ts'
import { findGrant } from './grant-types.ts'
import { revokeToken } from './revocation.ts'
import { ChallengeResponse, RevocationRequest, TokenRequest, TokenResponse } from './schemas.ts'

export const oauthRoutes = [
  defineRoute({
    operation: 'createAccessToken',
    isOfViews: true,
    summary: 'Exchange a code for an access token',
    tag: 'OpenID4VCI',
    method: 'POST',
    path: '/v1/oauth/token',
    access: anyone,
    takesGuess: ({ tx_code: txCode }) => txCode !== undefined,
    event: 'OPENID_TOKEN',
    body: TokenRequest,
    compiled: true,
    consumes: ['application/x-www-form-urlencoded'],
    status: 200,
    response: TokenResponse,
    representations: { cors: true },
    problems: [
      'invalid_request',
      'invalid_grant',
      'invalid_client',
      'unsupported_grant_type',
      'invalid_authorization_details',
      'invalid_dpop_proof',
      'use_dpop_nonce',
      'invalid_client_attestation',
      'use_attestation_challenge',
    ],
    oauthErrors: 'invalid_request',
    async handle(call) {
      const { deps, tenant, body } = call
      const grant = findGrant(body.grant_type)
      if (!grant) throw new Problem('unsupported_grant_type')
      const { attribute } = call
      const { client, dpopJkt, headers } = await authenticateWallet(call, body.client_id, 'token').catch(
        async (error: unknown) => {
          await attributeRefusedCode(call)
          throw error
        },
      )
      const { response, sessionId } = await grant({ deps, tenant, request: body, client, dpopJkt, attribute })
      return new Answer(response, { headers, onSent: () => deps.services.of(sentMarks).token(sessionId) })
    },
  }),
  defineRoute({
    operation: 'createAttestationChallenge',
    isOfViews: true,
    summary: 'Create a challenge for the proof of possession of a wallet attestation',
    tag: 'OpenID4VCI',
    method: 'POST',
    path: '/v1/oauth/challenge',
    access: anyone,
    status: 200,
    response: ChallengeResponse,
    representations: { cors: true },
    oauthErrors: 'invalid_request',
    async handle({ tenant, deps }) {
      return { attestation_challenge: newClientChallenge(deps, tenant) }
    },
  }),
  defineRoute({
    operation: 'revokeToken',
    isOfViews: true,
    summary: 'Revoke an access token or a refresh token (RFC 7009). The status is 200 for unknown tokens too',
    tag: 'OpenID4VCI',
    method: 'POST',
    path: '/v1/oauth/revoke',
    access: anyone,
    event: 'OPENID_TOKEN_REVOKE',
    body: RevocationRequest,
    consumes: ['application/x-www-form-urlencoded'],
    status: 200,
    representations: { cors: true },
    problems: [
      'invalid_request',
      'invalid_grant',
      'invalid_client',
      'invalid_dpop_proof',
      'use_dpop_nonce',
      'invalid_client_attestation',
      'use_attestation_challenge',
    ],
    oauthErrors: 'invalid_request',
    async handle(call) {
      const wallet = await authenticateWallet(call, call.body.client_id, 'revocation')
      await revokeToken(call, wallet)
      return new Answer(undefined, { headers: wallet.headers })
    },
  }),
]
