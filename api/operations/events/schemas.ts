import { z } from 'zod'
import { dayOrTime, described, exampleId, shownIdOf, Timestamp, Uuid, withoutControls } from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'

const maxValues = 100

/** Repeated (`types=A&types=B`) or separated by commas (`types=A,B`). */
function listOf(item: z.ZodType<string, string>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(item).max(maxValues))
}

const Word = z.string().trim().min(1).max(200).regex(withoutControls(), 'Must not hold control characters')

export const EventQuery = PageQuery.extend({
  ids: listOf(Uuid).optional().describe('Ids of events, at most 100'),
  requestIds: listOf(Uuid).optional().describe('As answers have them in `X-Request-Id`'),
  categories: listOf(Word).optional().describe('Such as `USERS`, at most 100'),
  types: listOf(Word).optional().describe('Such as `USER_CREATE_SUCCESS`, at most 100'),
  clientIds: listOf(Word).optional().describe('Management clients; what wallets call themselves is not looked at'),
  managementUserIds: listOf(Word).optional().describe('People who signed in to manage'),
  dateFrom: dayOrTime('T00:00:00.000Z').optional().describe('Inclusive'),
  dateTo: dayOrTime('T23:59:59.999Z').optional().describe('Inclusive'),
})

export const EventView = z.object({
  id: shownIdOf('event'),
  type: described(
    z.string(),
    'What happened: mostly the prefix of an operation with `_START`, `_SUCCESS` or `_FAIL`, and with `_AUDIT` what the audit keeps',
    'USER_CREATE_SUCCESS',
  ),
  category: described(z.string(), 'The group of the operation in this reference, or `AUDIT`', 'USERS'),
  timestamp: Timestamp.describe('When it happened'),
  requestId: shownIdOf('request').describe('As the answer had it in `X-Request-Id`'),
  tenantId: shownIdOf('tenant').describe('The tenant'),
  clientId: shownIdOf('client').optional().describe('The management client'),
  walletClientId: z.string().optional().describe('What the wallet calls itself, which can be anything'),
  managementUserId: z.string().optional().describe('The person who signed in to manage'),
  metadata: z.record(z.string(), z.unknown()).describe('More about the event; of the audit its number and hashes'),
  data: described(z.record(z.string(), z.unknown()), 'What it was about: ids and numbers, never a claim', {
    id: exampleId('user'),
  }),
})
