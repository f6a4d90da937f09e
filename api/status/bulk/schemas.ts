import { z } from 'zod'
import { counting, mostInBulk } from '../../../shared/status-bulks.ts'
import { momentOf, Uuid } from '../../http/fields.ts'

const Filter = z
  .object({
    configurationId: Uuid.optional(),
    userId: Uuid.optional(),
    issuedFrom: momentOf('T00:00:00.000Z').optional().describe('Inclusive'),
    issuedTo: momentOf('T23:59:59.999Z').optional().describe('Inclusive'),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
    message:
      'Must name at least one of configurationId, userId, issuedFrom and issuedTo: an empty one would mean every credential',
  })
  .describe('The credentials of which every member that is given holds; at least one has to be given')

export const NewBulk = z
  .object({
    credentials: z.array(Uuid).min(1).max(mostInBulk).optional().describe('Ids of credentials of any profile'),
    filter: Filter.optional(),
    isRevoked: z.boolean(),
  })
  .refine(({ credentials, filter }) => (credentials === undefined) !== (filter === undefined), {
    message: 'Must have either credentials or filter, and not both',
    path: ['credentials'],
  })
  .describe('Either `credentials` or `filter`')

export const BulkAccepted = z.object({
  id: Uuid,
  accepted: z
    .number()
    .int()
    .describe(
      'How many credentials it is about; an id that was given twice counts once. Where a filter finds more than ' +
        `${counting.most.toLocaleString('en')}, it is that number: \`total\` says how many they were when all is done`,
    ),
})

export const BulkView = z.object({
  id: Uuid,
  state: z.enum(['pending', 'running', 'done']),
  total: z.number().int(),
  done: z.number().int().describe('How many of them it has come to, failed ones included'),
  failed: z
    .array(z.object({ id: z.string(), reason: z.string() }))
    .describe(`Those that are unknown or not revocable; the first ${mostInBulk.toLocaleString('en')} of them`),
})
