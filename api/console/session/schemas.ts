import { z } from 'zod'
import { described, exampleId, idOf, secret, Timestamp, withoutExample } from '../../http/fields.ts'
import { ClientView } from '../../tenancy/clients/schemas.ts'

/** Either a client id and its secret, or the code of a link. */
export const SignIn = z
  .object({
    clientId: described(z.string().max(200), 'The id of the client', exampleId('client')).optional(),
    clientSecret: secret(
      described(
        z.string().max(200),
        'The secret, as it was shown at its creation',
        'o7Qm3kA9sTq0uZ5fW8xYb2cLdE6gHnJpRvK1tMiNeCo',
      ),
    ).optional(),
    code: secret(withoutExample(z.string().max(200)))
      .describe('The code of a console link, instead of `clientId` and `clientSecret`')
      .optional(),
  })
  .transform(({ clientId, clientSecret, code }, ctx) => {
    if (code !== undefined && clientId === undefined && clientSecret === undefined) return { code }
    if (code === undefined && clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
    const isMixed = code !== undefined
    const missing = clientId === undefined ? 'clientId' : 'clientSecret'
    const message = isMixed ? 'Must be sent without clientId and clientSecret' : 'Required'
    ctx.addIssue({ code: 'custom', path: [isMixed ? 'code' : missing], message })
    return z.NEVER
  })

export const SignedInView = ClientView.extend({
  clientId: ClientView.shape.clientId.optional().describe('The id of the client, if a client is signed in'),
  managementUserId: z.string().optional().describe('The id of the person in events, if a person is signed in'),
  name: described(z.string(), 'The name of the client or the person', 'Student administration'),
  roles: described(ClientView.shape.roles, 'The current roles', ['admin']),
  permissions: described(ClientView.shape.permissions, 'The permissions of the roles, as `resource:action`', ['*:*']),
  operations: described(z.array(z.string()), 'The operations that the roles allow, by their ids in this reference', [
    'retrieveOffers',
  ]),
  tenantId: idOf('tenant'),
  tenantName: described(z.string(), 'The name of the tenant of this host', 'University'),
  hasTestWallet: described(z.boolean(), 'Whether the console of this host has a test wallet', true),
  isReadOnly: described(
    z.boolean(),
    'Whether the tenant moves to another installation, so that it can only be read',
    false,
  ),
  since: Timestamp.optional().describe('When the session began. Absent for a token, like the next two fields.'),
  until: Timestamp.optional().describe('When the session ends, even if it is used'),
  idleUntil: Timestamp.optional().describe('When the session ends if it is not used'),
})
