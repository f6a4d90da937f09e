import { Problem } from '../../shared/errors.ts'
import { Answer, anyone, defineRoute } from '../http/route.ts'
import { findGrant } from './grant-types.ts'
import { TokenRequest, TokenResponse } from './schemas.ts'

export const oauthRoutes = [
  defineRoute({
    operation: 'createAccessToken',
    summary: 'Exchange a code for an access token',
    tag: 'OpenID4VCI',
    method: 'POST',
    path: '/v1/oauth/token',
    access: anyone,
    event: 'OPENID_TOKEN',
    body: TokenRequest,
    consumes: ['application/x-www-form-urlencoded'],
    status: 200,
    response: TokenResponse,
    problems: [
      'invalid_request',
      'invalid_grant',
      'invalid_client',
      'unsupported_grant_type',
      'invalid_authorization_details',
    ],
    oauthErrors: 'invalid_request',
    async handle({ tenant, body, deps }) {
      const grant = findGrant(body.grant_type)
      if (!grant) throw new Problem('unsupported_grant_type')
      const client = { clientId: body.client_id ?? null, instanceJkt: null }
      const { response, sessionId } = await grant({ deps, tenant, request: body, client, dpopJkt: null })
      return new Answer(response, { onSent: () => deps.sent.token(sessionId) })
    },
  }),
]
