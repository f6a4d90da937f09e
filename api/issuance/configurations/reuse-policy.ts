import { z } from 'zod'
import type { CommonSettings } from '../../../shared/domain/issuance/profile-settings.ts'
import { largestBatchIn, reuseFaults, reuseMethods } from '../../../shared/domain/issuance/reuse-policy.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { described, named } from '../../http/fields.ts'
import { batchSizeOf } from '../proofs/batch-size.ts'

const Method = named('ReuseMethod', 'A method by which a wallet avoids to be linked', z.enum(reuseMethods))

const Option = z.object({
  methods: described(z.array(Method).min(1).max(reuseMethods.length), 'The methods of this option', ['once_only']),
  batchSize: described(
    z.int().min(2, 'Must be at least 2'),
    'The number of credentials in a batch. At most the limit of the tenant for a request',
    10,
  ).exactOptional(),
  reissueTriggerUnused: described(
    z.int().min(0),
    'The wallet requests the next batch when only so many credentials are unused',
    2,
  ).exactOptional(),
  reissueTriggerLifetimeLeft: z
    .int()
    .min(1)
    .max(315_360_000)
    .exactOptional()
    .describe('The wallet requests the next credentials so many seconds before the end of the present ones'),
})

/** The schema of `reusePolicy` of a configuration. */
export const ReusePolicyBody = named(
  'ReusePolicy',
  'How wallets use and renew the credentials (`credential_reuse_policy`, ETSI TS 119 472-3, section 4.2.4.2)',
  z
    .object({
      options: described(z.array(Option).min(1).max(reuseMethods.length), 'The preferred option first', [
        { methods: ['once_only'], batchSize: 10, reissueTriggerUnused: 2 },
      ]),
    })
    .superRefine((policy, ctx) => {
      for (const { path, message } of reuseFaults(policy)) ctx.addIssue({ code: 'custom', path, message })
    }),
)

/** Throws `bad_request` if wallets cannot request a batch of the policy. */
export function requireReusable(tenant: Tenant, { reusePolicy }: CommonSettings): void {
  const largest = reusePolicy && largestBatchIn(reusePolicy)
  const limit = batchSizeOf(tenant)
  if (largest === undefined || largest <= limit) return
  throw wrongField(
    'reusePolicy.options',
    `A batch can have at most ${limit} credentials. Raise maxCredentialsPerSession of the tenant, or lower batchSize`,
    largest,
  )
}
