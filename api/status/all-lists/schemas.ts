import { z } from 'zod'
import { statusListPath, tokenListSize } from '../../../shared/domain/status/status-lists.ts'
import { described, exampleBaseUrl, exampleId, named, shownIdOf, Timestamp } from '../../http/fields.ts'
import { CredentialProfileSchema } from '../credential-schemas.ts'

const PublishedVersion = named(
  'PublishedStatusList',
  'The version of a status list that verifiers read',
  z.object({
    version: described(z.int(), 'Increases by one with each publication', 3),
    issuedAt: Timestamp.describe('When it was signed. It contains all changes up to then.'),
    expiresAt: Timestamp.optional().describe(
      'Verifiers refuse the list from then on. Absent if the format of the list has no expiry.',
    ),
    renewAt: Timestamp.optional().describe('When it is published again although nothing changed'),
    ttlSeconds: described(
      z.int(),
      'How long verifiers may cache the list, in seconds. Absent: one minute.',
      86_400,
    ).optional(),
  }),
)

const exampleUrl = exampleBaseUrl + statusListPath('mobile', exampleId('token status list'))

export const StatusListView = z.object({
  id: shownIdOf('token status list'),
  profile: described(CredentialProfileSchema, 'The profile of its credentials', 'mobile'),
  url: described(z.url(), 'The public address of the list, as in its credentials', exampleUrl),
  size: described(z.int(), 'The number of credentials that it can hold', tokenListSize),
  taken: described(
    z.int(),
    'The number of allocated indexes. Indexes are allocated in blocks. The next list is created when all are allocated.',
    1_000,
  ),
  createdAt: Timestamp.describe('When it was created'),
  issuer: z.string().optional().describe('The DID that signs it. Absent for token status lists.'),
  iacaId: shownIdOf('IACA')
    .optional()
    .describe('The IACA under which a token status list is signed. Absent for other lists.'),
  statusListConfigurationId: shownIdOf('status list configuration')
    .optional()
    .describe(
      'The configuration of the document type of a token status list, or the default configuration. Absent for other lists.',
    ),
  format: z
    .enum(['draft14', 'legacy'])
    .optional()
    .describe('The format of a token status list. Absent for other lists.'),
  published: PublishedVersion.optional().describe('Absent before the first publication'),
  changedAt: Timestamp.optional().describe(
    'The time of the oldest change that is not published yet. Absent if all changes are published.',
  ),
})
