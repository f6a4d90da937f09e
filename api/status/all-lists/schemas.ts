import { z } from 'zod'
import { statusListPath, tokenListSize } from '../../../shared/domain/status/status-lists.ts'
import { described, exampleBaseUrl, exampleId, named, shownIdOf, Timestamp } from '../../http/fields.ts'
import { CredentialProfileSchema } from '../credential-words.ts'

const PublishedVersion = named(
  'PublishedStatusList',
  'The version of a status list that verifiers read',
  z.object({
    version: described(z.int(), 'Rises by one with each publication', 3),
    issuedAt: Timestamp.describe('It says what was true then'),
    expiresAt: Timestamp.optional().describe('Verifiers refuse it from then on; absent where its format has no end'),
    renewAt: Timestamp.optional().describe('When it is made anew though nothing changed'),
    ttlSeconds: described(
      z.int(),
      'For so long verifiers may keep it, in seconds; absent: for a minute',
      86_400,
    ).optional(),
  }),
)

const exampleUrl = exampleBaseUrl + statusListPath('mobile', exampleId('token status list'))

export const StatusListView = z.object({
  id: shownIdOf('token status list'),
  profile: described(CredentialProfileSchema, 'Of its credentials', 'mobile'),
  url: described(z.url(), 'Where everybody can read it, as its credentials say', exampleUrl),
  size: described(z.int(), 'How many credentials have a place in it', tokenListSize),
  taken: described(z.int(), 'How many places were given away, in lots; the next list is opened when all are', 1_000),
  createdAt: Timestamp.describe('When it was opened'),
  issuer: z.string().optional().describe('The DID that signs it; absent for token status lists'),
  iacaId: shownIdOf('IACA').optional().describe('Of a token status list: the root under which it is signed'),
  statusListConfigurationId: shownIdOf('status list configuration')
    .optional()
    .describe('Of a token status list: the configuration of its document type, or the default configuration'),
  format: z.enum(['draft14', 'legacy']).optional().describe('Of a token status list: how it is written'),
  published: PublishedVersion.optional().describe('Absent before the first publication'),
  changedAt: Timestamp.optional().describe(
    'When the oldest change was made that it does not show; absent: it shows all',
  ),
})
