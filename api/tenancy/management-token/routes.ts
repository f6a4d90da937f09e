import { z } from 'zod'
import { findClient } from '../../../db/repos/tenancy/clients.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import { secret } from '../../http/fields.ts'
import { anyone, defineRoute } from '../../http/route.ts'

const lifetimeSeconds = 86_400

const TokenRequest = z.object({
  client_id: z.string().max(200),
  client_secret: secret(z.string().max(200)),
  audience: z.string().max(2000).optional().describe("The tenant's base URL; must match when it is given"),
  grant_type: z.string().max(200),
})

const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int().describe('Seconds'),
})

const unknownClientHash = hashSecret('no client has this secret')

export const managementTokenRoutes = [
  defineRoute({
    operation: 'createManagementToken',
    summary: 'Get a management token for a client',
    tag: 'Access',
    method: 'POST',
    path: '/oauth/token',
    access: anyone,
    takesSecret: true,
    host: 'either',
    event: 'MANAGEMENT_TOKEN_CREATE',
    body: TokenRequest,
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    status: 200,
    response: TokenResponse,
    problems: ['access_denied', 'service_unavailable'],
    oauthErrors: 'invalid_request',
    async handle({ tenant, body, deps, deadlineAt }) {
      const client = await findClient(deps.db.read, tenant.id, body.client_id)
      const isSecret = equalInConstantTime(hashSecret(body.client_secret), client?.secretHash ?? unknownClientHash)
      const isAudience = body.audience === undefined || body.audience.replace(/\/$/, '') === tenant.baseUrl
      const isGrant = body.grant_type === 'client_credentials'
      if (!client || !isSecret) throw new Problem('access_denied', { isWrongSecret: true })
      if (!isAudience || !isGrant) throw new Problem('access_denied')
      const claims = {
        tenantId: tenant.id,
        clientId: client.id,
        issuer: tenant.baseUrl,
        roles: client.roles,
        lifetimeSeconds,
      }
      const { accessToken } = await deps.keys.request('signManagementTokens', claims, { deadlineAt })
      return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds }
    },
  }),
]
