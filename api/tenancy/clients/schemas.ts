import { z } from 'zod'
import { permissionsOf } from '../../../shared/access/roles.ts'
import { described, idOf, Name, named } from '../../http/fields.ts'
import { RoleName } from '../roles/schemas.ts'

export const NewClient = z.object({
  name: described(Name, 'The display name of the client', 'Student administration'),
  roles: described(
    z
      .array(RoleName)
      .min(1)
      .max(50)
      .transform((roles) => [...new Set(roles)]),
    'Clients of the platform have only `platform`. Clients of a tenant have the other roles, and those that the tenant defines',
    ['issuer'],
  ),
})

const clientId = idOf('client').describe('The `client_id` of token requests')
const clientSecret = described(
  z.string(),
  'The secret for `POST /oauth/token`. Only this response shows it',
  'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo',
)

export const ClientView = z.object({
  clientId,
  name: described(z.string(), 'The display name of the client', 'Student administration'),
  roles: described(z.array(RoleName), 'The roles of the client', ['issuer']),
  permissions: described(
    z.array(z.string()),
    'The permissions of the roles, as `resource:action`',
    permissionsOf(['issuer']),
  ),
})

const maxOverlapSeconds = 30 * 86_400

export const NewSecret = z.object({
  overlapSeconds: described(
    z.number().int().min(0).max(maxOverlapSeconds).default(0),
    'How many seconds the previous secret stays valid, at most 30 days. Only one previous secret is valid',
    3600,
  ),
})

export const SecretView = z.object({ clientId, clientSecret })

export const CreatedClientView = named('CreatedClient', 'A client with its secret', ClientView.extend({ clientSecret }))
