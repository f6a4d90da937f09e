import { z } from 'zod'
import type { LoteContent } from '../../../shared/formats/trusted-lists/lote/build-lote.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, named, Timestamp } from '../../http/fields.ts'
import { exampleType } from '../credential-types/schemas.ts'
import type { ListNames } from './list-names.ts'
import { LoteCertificatesView, LoteChangesView, LoteContentFields } from './lote-schemas.ts'

const Frequency = named(
  'PublicationFrequency',
  'How often a list is published automatically',
  z.enum(['Daily', 'Weekly']),
)
const Provider = z.string().trim().min(1, 'Must have 1 to 200 characters').max(200, 'Must have 1 to 200 characters')

const AutoPublish = z.object({
  enabled: described(z.boolean(), 'Whether lists are published automatically', false),
  frequency: Frequency.default('Daily'),
})
const Failure = named(
  'PublicationFailure',
  'Why the last automatic publication failed. It is retried. The failure is removed after a success.',
  z.object({ at: Timestamp.describe('When it failed'), reason: z.string().describe('Why it failed') }),
)
const NewPublication = named('NewAutomaticPublication', 'The settings of automatic publication', AutoPublish)
const AutomaticPublication = named(
  'AutomaticPublication',
  'The settings and the state of automatic publication',
  AutoPublish.extend({
    configuredAt: Timestamp.describe('When automatic publication was configured'),
    lastFailure: Failure.optional(),
  }),
)
/** Both databases skip this many index entries to find the oldest retained list. */
const maxRetained = 10_000
const Retention = named(
  'ListRetention',
  'The lists to retain. Other lists are deleted after their `nextUpdate`, with the policy that was published with them.',
  z.object({
    keepLast: described(z.int().min(1).max(maxRetained), 'The number of newest lists to retain', 30),
    keepMonthly: described(z.boolean(), 'Whether to retain also the last list of each month in UTC', true),
  }),
)
const exampleProvider = 'Transport Agency'
const providerDescription = 'The provider that the lists name'

export function configurationSchemas({ kind, provider }: ListNames) {
  const lote = kind ? {} : LoteContentFields
  const body = z.object({
    [provider]: described(Provider, providerDescription, exampleProvider),
    ...lote,
    autoPublish: NewPublication.optional().describe(
      'If enabled, the first list is published within a minute. Then one list is published each day, or each week from Monday, in UTC.',
    ),
    retention: Retention.optional().describe('The lists to retain. Without it, all lists are retained.'),
  })
  const view = z.object({
    [provider]: described(z.string(), providerDescription, exampleProvider),
    ...lote,
    autoPublish: AutomaticPublication.optional(),
    retention: Retention.optional(),
  })
  return { body, view }
}

/** The parsed `body` of `configurationSchemas`. */
export interface TrustedListConfigurationBody {
  provider: string
  /** Null for a VICAL or RICAL. */
  lote: LoteContent | null
  autoPublish: z.output<typeof AutoPublish> | undefined
  retention: z.output<typeof Retention> | undefined
}

export function listSchemas({ number, noun, name }: ListNames) {
  const created = z.object({
    [number]: described(z.int(), 'The number of the list, which increases by one', 1),
    date: Timestamp.describe('When it was published'),
  })
  const listed = created.extend({
    filename: described(z.string(), 'The file name of the list', 'vical-2026-11-22-1795339800000.cbor'),
    isAutoPublished: z.boolean().describe('Whether it was published automatically'),
  })
  return { created: named(`Published${noun}`, `A published ${name}`, created), listed }
}

/** The number of an issue in a path. It is in the range of the column in both databases. */
export const IssueNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'Must be the number of an issue')
  .meta({ description: 'The number of the list', examples: ['1'] })

const ListedCertificate = z.object({
  certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
  ski: described(z.string(), 'Its subject key identifier in hex', '6f48af982884beac01fca1192d99460544c8eb3b'),
  issuer: described(z.string(), 'The name of its issuer (RFC 4514)', 'CN=Transport Agency IACA,C=NZ'),
  subject: described(z.string(), 'The name of its subject (RFC 4514)', 'CN=Transport Agency IACA,C=NZ'),
  docTypes: described(
    z.array(z.string()),
    'Its document types in the later issue. For a removed certificate, in the earlier issue.',
    [exampleType],
  ),
  notBefore: described(Timestamp, 'The start of its validity', '2026-01-01T00:00:00.000Z'),
  notAfter: described(Timestamp, 'The end of its validity', '2045-12-31T23:59:59.000Z'),
})
const OnAList = named('ListedCertificate', 'A certificate on a list', ListedCertificate)

/** The views of the content of lists. They are for display and review, and are not signed. */
export function viewsOf({ kind }: ListNames) {
  return kind
    ? { changes: ChangesView, certificates: CertificatesView }
    : { changes: LoteChangesView, certificates: LoteCertificatesView }
}

const ChangesView = z.object({
  added: z.array(OnAList).describe('The certificates that only the later issue has'),
  removed: z.array(OnAList).describe('The certificates that only the earlier issue has'),
  changed: z
    .array(
      ListedCertificate.extend({
        formerDocTypes: described(z.array(z.string()), 'Its document types in the earlier issue', [exampleType]),
      }),
    )
    .describe('The certificates whose document types changed'),
})

/** All certificates on one page. The limit of an ecosystem also limits a list. */
const CertificatesView = z.object({
  data: z.array(OnAList).describe('The certificates in the order of the list'),
})

export const ChangesQuery = z.object({ since: IssueNumber.describe('The number of an earlier issue') })

export function issueParams({ id, params }: ListNames) {
  return params.extend({ [id]: IssueNumber })
}
