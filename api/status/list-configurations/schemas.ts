import { z } from 'zod'
import { defaultLifetime } from '../../../shared/domain/status/status-lists.ts'
import { described, idOf, named } from '../../http/fields.ts'

/** Status list signers live for three years. */
const Days = named(
  'Days',
  'A number of days',
  z.object({ days: described(z.int().min(1).max(365), 'From 1 to 365', 7) }),
)
const aDay = { days: 1 }

const lifetime = {
  timeToLiveDuration: described(
    Days.default({ days: defaultLifetime.ttlDays }),
    'For so long verifiers may keep a list',
    aDay,
  ),
  expiryDuration: Days.default({ days: defaultLifetime.expiryDays }).describe(
    'For so long a list is valid, which is made anew before. It never outlives the certificate that signs it',
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
  timeToLiveDuration: described(Days, 'For so long verifiers may keep a list', aDay),
  expiryDuration: Days.describe('For so long a list is valid, which is made anew before'),
})

export const ListConfigurationView = named(
  'StatusListConfiguration',
  'How long the token status lists of a document type live',
  view,
)

export const ShownListConfigurationView = named(
  'ShownStatusListConfiguration',
  'A configuration of token status lists, or the default configuration, which has no `docType`',
  view.partial({ docType: true }),
)
