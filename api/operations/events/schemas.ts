import { z } from 'zod'
import { shownEvents } from '../../../shared/domain/operations/events.ts'
import {
  dayOrTime,
  described,
  exampleId,
  named,
  shownIdOf,
  Timestamp,
  Uuid,
  withoutControls,
} from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'

const maxValues = 100

/** Accepts repeated values (`types=A&types=B`) and values separated by commas (`types=A,B`). */
function listOf(item: z.ZodType<string, string>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(item).max(maxValues))
}

const Word = z.string().trim().min(1).max(200).regex(withoutControls(), 'Must not have control characters')

export const EventQuery = PageQuery.extend({
  ids: listOf(Uuid).optional().describe('Ids of events, at most 100'),
  requestIds: listOf(Uuid).optional().describe('The values of `X-Request-Id`, at most 100'),
  categories: listOf(Word).optional().describe('Such as `USERS`, at most 100'),
  types: listOf(Word).optional().describe('Such as `USER_CREATE_SUCCESS`, at most 100'),
  clientIds: listOf(Word).optional().describe('Management clients, at most 100. Not compared with `walletClientId`'),
  managementUserIds: listOf(Word).optional().describe('Users who signed in at the console, at most 100'),
  objectId: Uuid.optional().describe(
    'An object: the changes that management clients and people made to it, or for an offer also the requests of wallets. For a credential also the entries of the audit that changed its status, such as those of a bulk revocation, at most the newest 1,000. Changes before version 0.1 are not found',
  ),
  show: named(
    'ShownEvents',
    '`requests`: one entry for each request, without its START. `changes`: the same without successful reads',
    z.enum(shownEvents),
  ).default('all'),
  dateFrom: dayOrTime('T00:00:00.000Z').optional().describe('Inclusive'),
  dateTo: dayOrTime('T23:59:59.999Z').optional().describe('Inclusive'),
})

export const EventView = z.object({
  id: shownIdOf('event'),
  type: described(
    z.string(),
    'The type: mostly the prefix of an operation with `_START`, `_SUCCESS`, `_FAIL` or, in the audit, `_AUDIT`',
    'USER_CREATE_SUCCESS',
  ),
  category: described(z.string(), 'The group of the operation in this reference, or `AUDIT`', 'USERS'),
  timestamp: Timestamp.describe('When it happened'),
  requestId: shownIdOf('request').describe('The `X-Request-Id` of the response'),
  tenantId: shownIdOf('tenant').describe('The tenant'),
  clientId: shownIdOf('client').optional().describe('The management client'),
  walletClientId: z.string().optional().describe('The client id that the wallet sent. It can be any text'),
  managementUserId: z.string().optional().describe('The user who signed in at the console'),
  durationMs: z
    .number()
    .optional()
    .meta({
      description: 'How long the request took, in milliseconds. Present at the end of a request',
      examples: [12],
    }),
  metadata: z.record(z.string(), z.unknown()).describe('The number and hashes of an audit event. Otherwise empty'),
  data: described(z.record(z.string(), z.unknown()), 'The ids and numbers of the event. Never claims', {
    id: exampleId('user'),
  }),
})
