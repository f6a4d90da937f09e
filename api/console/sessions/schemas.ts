import { z } from 'zod'
import { described, idOf, named, Timestamp, withoutExample } from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'
import { ClientView } from '../../tenancy/clients/schemas.ts'

const kind = named(
  'ConsoleSessionKind',
  'What has the session: a browser, or a program',
  z.enum(['browser', 'program']),
)
const clientId = withoutExample(idOf('client')).optional()

export const ConsoleSessionView = named(
  'ActiveConsoleSession',
  'A session of a client or a person at the console, or of a program that one of them allowed',
  z.object({
    id: idOf('console session'),
    kind,
    clientId: clientId.describe('The id of the client. Absent for a person'),
    managementUserId: z.string().optional().describe('The id of the person in events. Absent for a client'),
    name: described(z.string(), 'The name of the client or the person', 'Ada Lovelace'),
    roles: described(ClientView.shape.roles, 'The roles that the session gives now', ['issuer']),
    isCurrent: described(z.boolean(), 'Whether it is the session of this request', false),
    createdAt: Timestamp.describe('When the session began'),
    lastUsedAt: Timestamp.describe('When the session was last used, rounded down to 10 minutes'),
    expiresAt: Timestamp.describe('When the session ends, even if it is used'),
  }),
)

export const ConsoleSessionsQuery = PageQuery.extend({
  clientId: idOf('client').optional().describe('Only sessions of this client'),
  managementUserId: z.string().max(1_000).optional().describe('Only sessions of this person'),
  order: named('ConsoleSessionOrder', 'The sort order', z.enum(['oldest', 'newest'])).default('oldest'),
})

export const SessionsOwner = z
  .object({
    clientId: clientId.describe('The client whose sessions and access tokens end'),
    managementUserId: described(z.string().max(1_000).optional(), 'The person whose sessions end', 'ada'),
  })
  .transform(({ clientId, managementUserId }, ctx) => {
    if (clientId !== undefined && managementUserId === undefined) return { clientId }
    if (managementUserId !== undefined && clientId === undefined) return { managementUserId }
    const message = 'Send either clientId or managementUserId'
    ctx.addIssue({ code: 'custom', path: ['managementUserId'], message })
    return z.NEVER
  })

export const EndedSessionsView = z.object({
  ended: described(z.number().int(), 'The number of sessions that have ended. Access tokens are not counted', 2),
})
