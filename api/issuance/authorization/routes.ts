import { z } from 'zod'
import { Problem } from '../../../shared/errors/errors.ts'
import { secret } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { problemPage } from '../pages/problem-page.ts'
import { authenticateWallet } from '../wallets/wallet-authentication.ts'
import { authorize } from './authorize.ts'
import { finishInteraction } from './interaction/finish-interaction.ts'
import { finishLogin } from './login/finish-login.ts'
import { pushRequest } from './pushed-request.ts'
import { offerOf } from './read-request.ts'
import { AuthorizationQuery, PushedResponse, singleValues } from './schemas.ts'

const tag = 'OpenID4VCI'

const ProviderAnswer = z.looseObject({
  state: z.string().max(2_000).optional().describe('Identifies the login'),
  code: secret(z.string().max(8_000)).optional().describe('Present if the person signed in'),
  error: z.string().max(500).optional().describe('Present if the person did not or could not sign in'),
  iss: z.string().max(2_000).optional().describe('The issuer of the response (RFC 9207)'),
})

/** The server limits the request line and headers to 16 KiB, so longer tokens never arrive. */
const maxTokenLength = 16_000

const InteractionAnswer = z.object({
  session_token: secret(z.string().min(1).max(maxTokenLength)).describe(
    'HS256 JWT signed with the secret of the hook: `iss` (the url of the hook or its origin), `aud` (the issuer), `state` (unchanged), ' +
      '`iat`, `exp`, `claims` for this issuance and `claimsToPersist`, the names of the claims to store for the user',
  ),
})

export const authorizationRoutes = [
  defineRoute({
    operation: 'authorize',
    isOfViews: true,
    changesTenant: true,
    summary: 'Start the authorization code flow in a browser',
    tag,
    method: 'GET',
    path: '/v1/oauth/authorize',
    access: anyone,
    event: 'OPENID_AUTHORIZE',
    query: AuthorizationQuery,
    status: 302,
    problems: [
      'invalid_request',
      'invalid_scope',
      'invalid_authorization_details',
      'unsupported_response_type',
      'request_not_supported',
      'sign_in_unavailable',
      'sign_in_handed_back',
    ],
    problemPage,
    oauthErrors: 'invalid_request',
    async handle({ tenant, query, headers, deps, attribute: about }) {
      const parameters = singleValues(query)
      if (!parameters) throw new Problem('invalid_request', { message: 'A parameter is repeated' })
      return authorize(deps, tenant, headers, parameters, about)
    },
  }),
  defineRoute({
    operation: 'pushAuthorizationRequest',
    isOfViews: true,
    summary: 'Push an authorization request',
    tag,
    method: 'POST',
    path: '/v1/oauth/par',
    bodyLimitBytes: 20_000,
    access: anyone,
    event: 'OPENID_PUSHED_AUTHORIZATION',
    body: AuthorizationQuery,
    consumes: ['application/x-www-form-urlencoded'],
    status: 201,
    response: PushedResponse,
    representations: { cors: true },
    problems: [
      'invalid_request',
      'invalid_client',
      'invalid_scope',
      'invalid_authorization_details',
      'unsupported_response_type',
      'request_not_supported',
      'invalid_dpop_proof',
      'use_dpop_nonce',
      'invalid_client_attestation',
      'use_attestation_challenge',
    ],
    oauthErrors: 'invalid_request',
    async handle(call) {
      const parameters = singleValues(call.body)
      if (!parameters) throw new Problem('invalid_request', { message: 'A parameter is repeated' })
      const { deps, tenant, attribute: about } = call
      // The offer is looked up before the client is checked, so that the offer's timeline also shows a request of an
      // unknown client.
      const offer = await offerOf(deps, tenant, parameters)
      about(offer?.id)
      const authenticated = await authenticateWallet(call, parameters.client_id, 'par')
      const response = await pushRequest(deps, tenant, authenticated, parameters, offer)
      return new Answer(response, { headers: authenticated.headers })
    },
  }),
  defineRoute({
    operation: 'finishLogin',
    changesTenant: true,
    summary: 'Callback to which the identity provider redirects people',
    tag,
    method: 'GET',
    path: '/v1/oauth/authentication/callback',
    access: anyone,
    event: 'OPENID_AUTHENTICATION_PROVIDER_AUTHORIZE',
    query: ProviderAnswer,
    status: 302,
    problems: ['sign_in_failed', 'sign_in_unavailable', 'sign_in_expired', 'sign_in_handed_back'],
    problemPage,
    async handle({ tenant, query, headers, deps, attribute: about }) {
      const answer = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      return finishLogin(deps, tenant, headers, Object.fromEntries(answer), about)
    },
  }),
  defineRoute({
    operation: 'finishInteraction',
    changesTenant: true,
    summary: 'Callback to which the interaction hook redirects people',
    tag,
    method: 'GET',
    path: '/v1/oauth/interaction/callback',
    access: anyone,
    event: 'OPENID_INTERACTION_HOOK',
    query: InteractionAnswer,
    status: 302,
    problems: ['sign_in_failed', 'sign_in_step_failed', 'sign_in_expired', 'sign_in_handed_back'],
    problemPage,
    async handle({ tenant, query, headers, deps, attribute: about }) {
      return finishInteraction(deps, tenant, headers, query.session_token, about)
    },
  }),
]
