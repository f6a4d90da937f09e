import { z } from 'zod'
import type { BulkFilter } from '../../../db/tables/status/bulks.ts'
import { countLimits, maxBulkIds } from '../../../shared/domain/status/status-bulks.ts'
import { dayOrTime, described, exampleId, idOf, named, Uuid, withoutExample } from '../../http/fields.ts'
import { SignerId } from '../credential-schemas.ts'

const Filter = z
  .object({
    configurationId: withoutExample(idOf('configuration')).optional().describe('Issued with this configuration'),
    userId: withoutExample(idOf('user')).optional().describe('Issued to this user'),
    signerId: withoutExample(SignerId)
      .optional()
      .describe(
        'Signed by this signer: a certificate or a key. Credentials that were issued before version 0.1 have no signer',
      ),
    issuedFrom: dayOrTime('T00:00:00.000Z')
      .optional()
      .describe('Issued at or after this day in UTC, or this timestamp'),
    issuedTo: dayOrTime('T23:59:59.999Z').optional().describe('Issued at or before this day in UTC, or this timestamp'),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
    message:
      'Must have at least one of configurationId, userId, signerId, issuedFrom and issuedTo, because an empty filter would select all credentials',
  })
  .describe('Selects the credentials that match all given fields. At least one field is required.')

export const NewBulk = z
  .object({
    credentials: described(
      z.array(Uuid).min(1).max(maxBulkIds),
      `Ids of credentials of any profile, at most ${maxBulkIds.toLocaleString('en')}`,
      [exampleId('compact credential')],
    ).optional(),
    filter: Filter.optional(),
    isRevoked: described(z.boolean(), 'True to revoke the credentials, false to undo their revocation', true),
  })
  .refine(({ credentials, filter }) => (credentials === undefined) !== (filter === undefined), {
    message: 'Must have either credentials or filter, and not both',
    path: ['credentials'],
  })
  .describe('Either `credentials` or `filter`')

export const AcceptedStatusChange = named(
  'AcceptedStatusChange',
  'A bulk status change that was accepted',
  z.object({
    id: idOf('bulk'),
    accepted: z
      .number()
      .int()
      .meta({
        description:
          'The number of credentials to change. A repeated id counts once. If a filter finds more than ' +
          `${countLimits.maxTotal.toLocaleString('en')}, or has to examine more to find those of a signer, this is that number. After the change, \`total\` is the exact number.`,
        examples: [1],
      }),
  }),
)

export const BulkView = named(
  'StatusChange',
  'A bulk status change and its progress',
  z.object({
    id: idOf('bulk'),
    state: described(z.enum(['pending', 'running', 'done']), 'The state of the change', 'done'),
    total: described(z.number().int(), 'The number of credentials to change', 1),
    done: described(z.number().int(), 'The number of credentials processed so far, including failed ones', 1),
    failed: z
      .array(
        named(
          'FailedChange',
          'A credential whose status was not changed',
          z.object({
            id: z.string().describe('The id of the credential'),
            reason: z.string().describe('Why its status was not changed'),
          }),
        ),
      )
      .describe(
        `The credentials that are unknown or not revocable, at most the first ${maxBulkIds.toLocaleString('en')}`,
      ),
  }),
)

/** Returns the filter as it is stored. */
export function storedFilter({
  issuedFrom,
  issuedTo,
  ...rest
}: NonNullable<z.infer<typeof NewBulk>['filter']>): BulkFilter {
  return {
    ...(rest.configurationId !== undefined && { configurationId: rest.configurationId }),
    ...(rest.userId !== undefined && { userId: rest.userId }),
    ...(rest.signerId !== undefined && { signerId: rest.signerId }),
    ...(issuedFrom && { issuedFrom: issuedFrom.getTime() }),
    ...(issuedTo && { issuedTo: issuedTo.getTime() }),
  }
}
