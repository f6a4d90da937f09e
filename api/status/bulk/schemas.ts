import { z } from 'zod'
import { counting, mostInBulk } from '../../../shared/domain/status/status-bulks.ts'
import { dayOrTime, described, exampleId, idOf, named, Uuid, unexampled } from '../../http/fields.ts'

const Filter = z
  .object({
    configurationId: unexampled(idOf('configuration')).optional().describe('Made by this configuration'),
    userId: unexampled(idOf('user')).optional().describe('Issued to this user'),
    issuedFrom: dayOrTime('T00:00:00.000Z')
      .optional()
      .describe('Issued on this day in UTC or later, or from this moment'),
    issuedTo: dayOrTime('T23:59:59.999Z')
      .optional()
      .describe('Issued on this day in UTC or earlier, or up to this moment'),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
    message:
      'Must name at least one of configurationId, userId, issuedFrom and issuedTo: an empty one would mean every credential',
  })
  .describe('The credentials of which every member that is given holds; at least one has to be given')

export const NewBulk = z
  .object({
    credentials: described(
      z.array(Uuid).min(1).max(mostInBulk),
      `Ids of credentials of any profile, at most ${mostInBulk.toLocaleString('en')}`,
      [exampleId('compact credential')],
    ).optional(),
    filter: Filter.optional(),
    isRevoked: described(z.boolean(), 'Whether they are revoked, or that is taken back', true),
  })
  .refine(({ credentials, filter }) => (credentials === undefined) !== (filter === undefined), {
    message: 'Must have either credentials or filter, and not both',
    path: ['credentials'],
  })
  .describe('Either `credentials` or `filter`')

export const BulkAccepted = named(
  'AcceptedStatusChange',
  'A change of many statuses that was accepted',
  z.object({
    id: idOf('bulk'),
    accepted: z
      .number()
      .int()
      .meta({
        description:
          'How many credentials it is about; an id that was given twice counts once. Where a filter finds more than ' +
          `${counting.most.toLocaleString('en')}, it is that number: \`total\` says how many they were when all is done`,
        examples: [1],
      }),
  }),
)

export const BulkView = named(
  'StatusChange',
  'A change of many statuses, and how far it is',
  z.object({
    id: idOf('bulk'),
    state: described(z.enum(['pending', 'running', 'done']), 'How far it is', 'done'),
    total: described(z.number().int(), 'How many credentials it is about', 1),
    done: described(z.number().int(), 'How many of them it has come to, failed ones included', 1),
    failed: z
      .array(
        named(
          'FailedChange',
          'A credential that was left as it is',
          z.object({ id: z.string().describe('Its id'), reason: z.string().describe('Why') }),
        ),
      )
      .describe(`Those that are unknown or not revocable; the first ${mostInBulk.toLocaleString('en')} of them`),
  }),
)
