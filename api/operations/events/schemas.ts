import { z } from 'zod'
import { momentOf, Timestamp, Uuid } from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'

const mostValues = 100

/** Repeated (`types=A&types=B`) or separated by commas (`types=A,B`). */
function listOf(item: z.ZodType<string, string>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(item).max(mostValues))
}

const Word = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'Must not hold control characters')

export const EventQuery = PageQuery.extend({
  ids: listOf(Uuid).optional(),
  requestIds: listOf(Uuid).optional().describe('As answers have them in `X-Request-Id`'),
  categories: listOf(Word).optional(),
  types: listOf(Word).optional(),
  clientIds: listOf(Word).optional().describe('Management clients; what wallets call themselves is not looked at'),
  managementUserIds: listOf(Word).optional(),
  dateFrom: momentOf('T00:00:00.000Z').optional().describe('Inclusive'),
  dateTo: momentOf('T23:59:59.999Z').optional().describe('Inclusive'),
})

export const EventView = z.object({
  id: z.string(),
  type: z.string(),
  category: z.string(),
  timestamp: Timestamp,
  requestId: z.string(),
  tenantId: z.string(),
  clientId: z.string().optional().describe('The management client'),
  walletClientId: z.string().optional().describe('What the wallet calls itself, which can be anything'),
  managementUserId: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
})
