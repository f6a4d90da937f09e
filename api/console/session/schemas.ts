import { z } from 'zod'
import { described, exampleId, idOf, secret } from '../../http/fields.ts'
import { ClientView } from '../../tenancy/clients/schemas.ts'

export const SignIn = z.object({
  clientId: described(z.string().max(200), 'The id of the client', exampleId('client')),
  clientSecret: secret(
    described(z.string().max(200), 'As it was shown once', 'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo'),
  ),
})

export const SignedInView = ClientView.extend({
  roles: described(ClientView.shape.roles, 'What it may do now', ['admin']),
  permissions: described(ClientView.shape.permissions, 'What the roles add up to, as `resource:action`', ['*:*']),
  tenantId: idOf('tenant'),
  tenantName: described(z.string(), 'Of the tenant whose host was addressed', 'University'),
})
