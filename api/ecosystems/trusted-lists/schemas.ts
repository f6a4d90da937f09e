import { z } from 'zod'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, named, Timestamp } from '../../http/fields.ts'
import { exampleType } from '../credential-types/schemas.ts'
import { InEcosystem } from '../ecosystems/access.ts'
import type { ListWords } from './words.ts'

const Frequency = named('PublicationFrequency', 'How often a list is published by itself', z.enum(['Daily', 'Weekly']))
const Provider = z.string().trim().min(1, 'Must have 1 to 200 characters').max(200, 'Must have 1 to 200 characters')

const AutoPublish = z.object({
  enabled: described(z.boolean(), 'Whether lists are published by themselves', false),
  frequency: Frequency.default('Daily'),
})
const Failure = named(
  'PublicationFailure',
  'Why the last attempt failed to publish a list by itself; it is tried again, and gone when that succeeds',
  z.object({ at: Timestamp.describe('When it failed'), reason: z.string().describe('Why it failed') }),
)
const NewPublication = named('NewAutomaticPublication', 'Whether lists are published by themselves', AutoPublish)
const AutomaticPublication = named(
  'AutomaticPublication',
  'Whether lists are published by themselves, and how that goes',
  AutoPublish.extend({
    configuredAt: Timestamp.describe('When this was said'),
    lastFailure: Failure.optional(),
  }),
)
/** SQLite and PostgreSQL find the first list that is kept by walking over so many entries of an index. */
const mostKept = 10_000
const Retention = named(
  'ListRetention',
  'Which lists are kept. A list is removed once its `nextUpdate` has passed, with the policy that was published with it',
  z.object({
    keepLast: described(z.int().min(1).max(mostKept), 'How many of the newest lists are kept', 30),
    keepMonthly: described(z.boolean(), 'Whether the last list of each month, in UTC, is kept as well', true),
  }),
)
const exampleProvider = 'Transport Agency'
const providerWords = 'Who publishes the lists, as they say'

export function configurationSchemas({ provider }: ListWords) {
  const body = z.object({
    [provider]: described(Provider, providerWords, exampleProvider),
    autoPublish: NewPublication.optional().describe(
      'While it is enabled, a list is published within a minute, and then one on each day, or in each week from Monday, in UTC',
    ),
    retention: Retention.optional().describe('Which lists are kept. Without it all lists are kept'),
  })
  const view = z.object({
    [provider]: described(z.string(), providerWords, exampleProvider),
    autoPublish: AutomaticPublication.optional(),
    retention: Retention.optional(),
  })
  return { body, view }
}

/** What `body` of `configurationSchemas` says. */
export interface TrustedListConfigurationBody {
  provider: string
  autoPublish: z.output<typeof AutoPublish> | undefined
  retention: z.output<typeof Retention> | undefined
}

export function listSchemas({ number, noun, name }: ListWords) {
  const created = z.object({
    [number]: described(z.int(), 'Its number, which rises by one', 1),
    date: Timestamp.describe('When it was published'),
  })
  const listed = created.extend({
    filename: described(z.string(), 'What the file is called', 'vical-2026-11-22-1795339800000.cbor'),
    isAutoPublished: z.boolean().describe('Whether it was published by itself'),
  })
  return { created: named(`Published${noun}`, `A ${name} that was published`, created), listed }
}

/** A number as it stands in a path, of those that the column holds on both databases. */
export const IssueNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'Must be the number of an issue')
  .meta({ description: 'The number of the list', examples: ['1'] })

const ListedCertificate = z.object({
  certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
  ski: described(z.string(), 'Its subject key identifier, in hex', '6f48af982884beac01fca1192d99460544c8eb3b'),
  issuer: described(z.string(), 'Who has issued it (RFC 4514)', 'CN=Transport Agency IACA,C=NZ'),
  subject: described(z.string(), 'Whose it is (RFC 4514)', 'CN=Transport Agency IACA,C=NZ'),
  docTypes: described(z.array(z.string()), 'The document types that it is for: of the later issue, where it is there', [
    exampleType,
  ]),
  notBefore: described(Timestamp, 'From when it is valid', '2026-01-01T00:00:00.000Z'),
  notAfter: described(Timestamp, 'Until when it is valid', '2045-12-31T23:59:59.000Z'),
})
const OnAList = named('ListedCertificate', 'A certificate on a list', ListedCertificate)

/** For people, and for who asks what to look at: nobody has signed it. */
export const ChangesView = z.object({
  added: z.array(OnAList).describe('Certificates that the earlier one does not have'),
  removed: z.array(OnAList).describe('Certificates that only the earlier one has'),
  changed: z
    .array(
      ListedCertificate.extend({
        formerDocTypes: described(z.array(z.string()), 'The document types of the earlier issue', [exampleType]),
      }),
    )
    .describe('Certificates that are for other types of documents now'),
})

/** All of them: a list has as many as an ecosystem may have. */
export const CertificatesView = z.object({ data: z.array(OnAList).describe('In the order of the list') })

export const ChangesQuery = z.object({ since: IssueNumber.describe('The number of an earlier issue') })

export function OfIssue({ id }: ListWords) {
  return InEcosystem.extend({ [id]: IssueNumber })
}
