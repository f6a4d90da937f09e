import { z } from 'zod'
import { findClient, hasSecret } from '../../../db/repos/tenancy/clients.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { described, exampleId, secret } from '../../http/fields.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { clientCredentialsOf } from './client-credentials.ts'

const lifetimeSeconds = 86_400

const TokenRequest = z.object({
  client_id: described(
    z.string().max(200),
    'The id of the client. Basic authentication is possible instead',
    exampleId('client'),
  ).optional(),
  client_secret: secret(
    described(
      z.string().max(200).optional(),
      'The secret of the client',
      'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo',
    ),
  ),
  audience: z.string().max(2000).optional().describe('The base URL of the tenant'),
  grant_type: described(z.string().max(200), '`client_credentials` (RFC 6749, section 4.4)', 'client_credentials'),
})

const TokenResponse = z.object({
  access_token: described(
    z.string(),
    'A JWT (RFC 9068) for the header `Authorization`',
    'eyJ0eXAiOiJhdCtqd3QifQ.e30.c2ln',
  ),
  token_type: z.literal('Bearer').describe('The authentication scheme'),
  expires_in: described(z.number().int(), 'The lifetime in seconds', lifetimeSeconds),
})

/** The interface has the code `access_denied`. The description has the one of RFC 6749, section 5.2, for people and tools that know it. */
const wrongCredentials =
  'Unauthorized (invalid_client): no client of this host has this client_id and client_secret. A client belongs to one tenant: check the host too.'

/** RFC 6749, section 5.2: the challenge has the scheme that the client used. */
function wrongSecret({ baseUrl }: { baseUrl: string }, isBasic: boolean): Problem {
  const headers: Record<string, string> = isBasic ? { 'WWW-Authenticate': `Basic realm="${baseUrl}"` } : {}
  return new Problem('access_denied', { message: wrongCredentials, headers, isWrongSecret: true })
}

export const managementTokenRoutes = [
  defineRoute({
    operation: 'createManagementToken',
    changesTenant: false,
    summary: 'Get a management token for a client',
    tag: 'Access',
    method: 'POST',
    path: '/oauth/token',
    access: anyone,
    host: 'either',
    event: 'MANAGEMENT_TOKEN_CREATE',
    body: TokenRequest,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    status: 200,
    response: TokenResponse,
    problems: ['access_denied', 'unsupported_grant_type', 'service_unavailable'],
    oauthErrors: 'invalid_request',
    async handle({ tenant, body, headers, deps, deadlineAt }) {
      if (body.grant_type !== 'client_credentials')
        throw new Problem('unsupported_grant_type', { message: 'The grant_type must be client_credentials' })
      const { clientId, clientSecret, isBasic } = clientCredentialsOf(String(headers.authorization ?? ''), body)
      const client = await findClient(deps.db.read, tenant.id, clientId)
      // Checks the secret first, so that the time does not reveal whether the client exists.
      if (!hasSecret(client, clientSecret, deps.clock.now()) || !client) throw wrongSecret(tenant, isBasic)
      if (body.audience !== undefined && body.audience.replace(/\/$/, '') !== tenant.baseUrl)
        throw new Problem('access_denied', { message: `The audience must be ${tenant.baseUrl} or omitted` })
      const claims = {
        tenantId: tenant.id,
        clientId: client.id,
        issuer: tenant.baseUrl,
        roles: client.roles,
        tokenGeneration: client.tokenGeneration,
        lifetimeSeconds,
      }
      const { accessToken } = await deps.keys.request('signManagementTokens', claims, { deadlineAt })
      return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds }
    },
  }),
]
