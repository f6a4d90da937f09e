import { z } from 'zod'
import { defaultLifetime } from '../../../shared/status-lists.ts'
import { Uuid } from '../../http/fields.ts'

/** Status list signers live for three years. */
const Days = z.object({ days: z.int().min(1).max(365) })

const lifetime = {
  timeToLiveDuration: Days.default({ days: defaultLifetime.ttlDays }).describe(
    `For so long verifiers may keep a list; ${defaultLifetime.ttlDays} day by itself`,
  ),
  expiryDuration: Days.default({ days: defaultLifetime.expiryDays }).describe(
    `For so long a list is valid, which is made anew before; ${defaultLifetime.expiryDays} days by itself. It never outlives ` +
      'the certificate that signs it',
  ),
}

type Lifetime = z.output<z.ZodObject<typeof lifetime>>

const isInOrder = ({ timeToLiveDuration, expiryDuration }: Lifetime) => timeToLiveDuration.days <= expiryDuration.days
const order = { path: ['timeToLiveDuration'], message: 'Must not be longer than expiryDuration' }

export const NewListConfiguration = z
  .object({ docType: z.string().trim().min(1).max(200), ...lifetime })
  .refine(isInOrder, order)

export const ListConfigurationChanges = z.object(lifetime).refine(isInOrder, order)

export const ListConfigurationView = z.object({
  id: Uuid,
  docType: z.string(),
  timeToLiveDuration: z.object({ days: z.int() }),
  expiryDuration: z.object({ days: z.int() }),
})
