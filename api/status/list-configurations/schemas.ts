import { z } from 'zod'
import { defaultLifetime } from '../../../shared/domain/status/status-lists.ts'
import { described, idOf, named } from '../../http/fields.ts'

/** A lifetime has at most 365 days. The certificate of a status list signer is valid for three years. */
const Days = named(
  'Days',
  'A number of days',
  z.object({ days: described(z.int().min(1).max(365), 'From 1 to 365', 7) }),
)
const aDay = { days: 1 }

const lifetime = {
  timeToLiveDuration: described(
    Days.default({ days: defaultLifetime.ttlDays }),
    'How long verifiers may cache a list',
    aDay,
  ),
  expiryDuration: Days.default({ days: defaultLifetime.expiryDays }).describe(
    'How long a list is valid. It is published again before it expires. It never outlives the certificate of its signer.',
  ),
}

type Lifetime = z.output<z.ZodObject<typeof lifetime>>

const isInOrder = ({ timeToLiveDuration, expiryDuration }: Lifetime) => timeToLiveDuration.days <= expiryDuration.days
const order = { path: ['timeToLiveDuration'], message: 'Must not be longer than expiryDuration' }

const typeWords = 'The document type of the credentials, such as `org.iso.18013.5.1.mDL`'
const exampleType = 'org.example.member.1'

export const NewListConfiguration = z
  .object({ docType: described(z.string().trim().min(1).max(200), typeWords, exampleType), ...lifetime })
  .refine(isInOrder, order)

export const ListConfigurationChanges = z.object(lifetime).refine(isInOrder, order)

const view = z.object({
  id: idOf('status list configuration'),
  docType: described(z.string(), typeWords, exampleType),
  timeToLiveDuration: described(Days, 'How long verifiers may cache a list', aDay),
  expiryDuration: Days.describe('How long a list is valid. It is published again before it expires.'),
})

export const ListConfigurationView = named(
  'StatusListConfiguration',
  'The lifetimes of the token status lists of a document type',
  view,
)

export const ShownListConfigurationView = named(
  'ShownStatusListConfiguration',
  'A configuration of token status lists, or the default configuration, which has no `docType`',
  view.partial({ docType: true }),
)
