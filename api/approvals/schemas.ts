import { z } from 'zod'
import { described, idOf, named, Timestamp, withoutExample } from '../http/fields.ts'
import { PageQuery } from '../http/page.ts'

const ApprovalState = named(
  'ApprovalState',
  'The state of an approval. `approved`: its sender can execute it now',
  z.enum(['waiting', 'approved', 'executed', 'rejected', 'expired']),
)

const Person = named(
  'ApprovalPerson',
  'A management client or a user of the console',
  z.object({
    clientId: withoutExample(idOf('client')).optional(),
    managementUserId: z.string().optional().describe('The user of the console'),
  }),
)

export const ApprovalView = named(
  'Approval',
  'A request that another person or program must approve',
  z.object({
    id: idOf('approval'),
    kind: described(z.string(), 'The member of the setting `approvals`, or `settings`', 'statusChanges'),
    operation: described(z.string(), 'The operation that is executed after the approval', 'setRevocationStatuses'),
    state: ApprovalState,
    objects: described(z.number().int(), 'The number of objects that the request changes', 250),
    details: described(z.record(z.string(), z.unknown()), 'What the request changes', { isRevoked: true }),
    digest: described(
      z.string(),
      'SHA-256 of the request, or of the plan of configuration files, base64url',
      '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
    ),
    askedBy: described(Person, 'Who sent the request', { managementUserId: 'ada' }),
    isOwn: described(z.boolean(), 'Whether the caller sent the request', false),
    decidedBy: Person.optional().describe('Who approved or rejected the request'),
    createdAt: Timestamp.describe('When the request was sent'),
    expiresAt: Timestamp.describe(
      'Until when it can be approved. In the state `approved`, until when its sender can execute it',
    ),
    decidedAt: Timestamp.optional().describe('When it was approved or rejected'),
    answer: z.unknown().optional().describe('The answer of the operation. Only the one who asked sees it'),
  }),
)

export const ApprovalsQuery = PageQuery.extend({
  state: ApprovalState.optional().describe('Only approvals in this state'),
  order: named('ApprovalOrder', 'The sort order', z.enum(['oldest', 'newest'])).default('oldest'),
})
