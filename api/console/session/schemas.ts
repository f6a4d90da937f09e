import { z } from 'zod'
import { described, exampleId, idOf, secret, Timestamp, unexampled } from '../../http/fields.ts'
import { ClientView } from '../../tenancy/clients/schemas.ts'

/** Either an id with its secret, or a code. */
export const SignIn = z
  .object({
    clientId: described(z.string().max(200), 'The id of the client', exampleId('client')).optional(),
    clientSecret: secret(
      described(z.string().max(200), 'As it was shown once', 'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo'),
    ).optional(),
    code: secret(unexampled(z.string().max(200)))
      .describe('Of a link to the console, in place of the other two')
      .optional(),
  })
  .transform(({ clientId, clientSecret, code }, ctx) => {
    if (code !== undefined && clientId === undefined && clientSecret === undefined) return { code }
    if (code === undefined && clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
    const isOneTooMany = code !== undefined
    const missing = clientId === undefined ? 'clientId' : 'clientSecret'
    const message = isOneTooMany ? 'Must come without clientId and clientSecret' : 'Required'
    ctx.addIssue({ code: 'custom', path: [isOneTooMany ? 'code' : missing], message })
    return z.NEVER
  })

export const SignedInView = ClientView.extend({
  clientId: ClientView.shape.clientId.optional().describe('The client, where one is signed in'),
  managementUserId: z
    .string()
    .optional()
    .describe('The person, where one signed in at the provider; as events have it'),
  name: described(z.string(), 'What people call it, or the person', 'Student administration'),
  roles: described(ClientView.shape.roles, 'What it may do now', ['admin']),
  permissions: described(ClientView.shape.permissions, 'What the roles add up to, as `resource:action`', ['*:*']),
  tenantId: idOf('tenant'),
  tenantName: described(z.string(), 'Of the tenant whose host was addressed', 'University'),
  since: Timestamp.optional().describe('When the session began; absent of a token, as what follows'),
  until: Timestamp.optional().describe('When it ends, however much it is used'),
  idleUntil: Timestamp.optional().describe('When it ends unless it is used'),
})
