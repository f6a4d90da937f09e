import { z } from 'zod'
import { permissionsOf, type Role, tenantRoles } from '../../../shared/roles.ts'
import { described, idOf, Name, named } from '../../http/fields.ts'

const RoleName = named(
  'Role',
  'What a client may do; each operation names the roles that may call it',
  z.enum([...tenantRoles, 'platform']),
)

export const NewClient = z.object({
  name: described(Name, 'What people call it; of the program that uses it, say', 'Student administration'),
  roles: described(
    z
      .array(RoleName)
      .min(1)
      .transform((roles): Role[] => [...new Set(roles)]),
    "`platform` for the platform's own clients, which have no other; the others for a tenant's",
    ['issuer'],
  ),
})

const clientId = idOf('client').describe('Names the client, also where a token is asked for')
const clientSecret = described(
  z.string(),
  'For `POST /oauth/token`. Shown this once',
  'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo',
)

export const ClientView = z.object({
  clientId,
  name: described(z.string(), 'What people call it', 'Student administration'),
  roles: described(z.array(RoleName), 'What it may do', ['issuer']),
  permissions: described(
    z.array(z.string()),
    'What the roles add up to, as `resource:action`',
    permissionsOf(['issuer']),
  ),
})

const maxOverlapSeconds = 30 * 86_400

export const NewSecret = z.object({
  overlapSeconds: described(
    z.number().int().min(0).max(maxOverlapSeconds).default(0),
    'For how many seconds more the secret that is replaced is good, at most 30 days; of several the last is',
    3600,
  ),
})

export const SecretView = z.object({ clientId, clientSecret })

export const CreatedClientView = named('CreatedClient', 'A client with its secret', ClientView.extend({ clientSecret }))
