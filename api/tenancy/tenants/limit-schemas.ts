import { z } from 'zod'
import { defaultQuotas, type Limits as LimitNames } from '../../../shared/domain/tenancy/limits.ts'
import { described, named } from '../../http/fields.ts'

const PerMinute = z.number().int().min(0).max(10_000_000)
const Quota = z.number().int().min(0).max(1_000_000)
const Few = z.number().int().min(0).max(100_000)
const Bytes = z.number().int().min(0).max(1_000_000_000_000)

function withDefault(name: keyof typeof defaultQuotas, words: string): string {
  return `${words}. Default: ${defaultQuotas[name].toLocaleString('en')}`
}

/** The limits of `shared/domain/tenancy/limits.ts`. An omitted limit has its default. */
export const TenantLimits = named(
  'TenantLimits',
  'The limits of a tenant that differ from the defaults',
  z
    .object({
      anonymousPerMinute: PerMinute.describe('Requests without a token per address and minute. 0: no limit'),
      failedSecretsPerMinute: PerMinute.describe('Wrong secrets and codes per address and minute. 0: no limit'),
      managementWritesPerMinute: PerMinute.describe('Changes by management clients per minute. 0: no limit'),
      issuancesPerMinute: PerMinute.describe('Credential requests per minute. 0: no limit'),
      registrationsPerDay: z
        .number()
        .int()
        .min(1)
        .max(999_999_999)
        .describe('Registrations per address in 24 hours at holder applications without key attestation'),
      webhooks: described(Quota, withDefault('webhooks', 'The number of webhooks'), 20),
      clients: Quota.describe(
        withDefault('clients', 'The number of management clients. The same limit applies to registered wallets'),
      ),
      configurations: Quota.describe(
        withDefault('configurations', 'The number of credential configurations of all profiles'),
      ),
      trustedIssuers: Quota.describe(
        withDefault('trustedIssuers', 'The number of trusted issuers of mobile credentials'),
      ),
      walletProviders: Quota.max(1_000).describe(
        withDefault('walletProviders', 'The number of wallet providers. The same limit applies to those of a verifier'),
      ),
      views: Quota.max(100).describe(withDefault('views', 'The number of views of the credential issuer')),
      contexts: Quota.describe(withDefault('contexts', 'The number of JSON-LD contexts')),
      dids: Quota.describe(withDefault('dids', 'The number of DIDs besides the DID of the tenant')),
      holderApplications: Quota.describe(
        withDefault(
          'holderApplications',
          'The number of holder applications. The same limit applies to applications of a verifier',
        ),
      ),
      inboxes: Quota.describe(withDefault('inboxes', 'The number of inboxes')),
      inboxDids: Quota.describe(withDefault('inboxDids', 'The number of DIDs in all inboxes')),
      inboxMessages: Few.describe(withDefault('inboxMessages', 'The number of messages in an inbox')),
      inboxBytes: z
        .number()
        .int()
        .min(0)
        .max(10_000_000_000)
        .describe(withDefault('inboxBytes', 'The total size of the messages in an inbox, in bytes')),
      outgoingMessages: Quota.describe(
        withDefault('outgoingMessages', 'The number of outgoing messages that wait for delivery'),
      ),
      inboxDays: z
        .number()
        .int()
        .min(1)
        .max(3_650)
        .describe(withDefault('inboxDays', 'The number of days that a message stays in its inbox')),
      holderInstances: z
        .number()
        .int()
        .min(0)
        .max(100_000_000)
        .describe(withDefault('holderInstances', 'The number of instances of each holder application')),
      ecosystems: Quota.describe(withDefault('ecosystems', 'The number of ecosystems')),
      ecosystemCredentialTypes: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .describe(withDefault('ecosystemCredentialTypes', 'The number of credential types of an ecosystem')),
      participants: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .describe(withDefault('participants', 'The number of participants of an ecosystem')),
      participantCertificates: Few.describe(
        withDefault('participantCertificates', 'The number of participant certificates of an ecosystem'),
      ),
      integratedCertificates: Few.describe(
        withDefault(
          'integratedCertificates',
          'The number of certificates that an ecosystem integrates from external lists',
        ),
      ),
      participantEvidence: Few.describe(
        withDefault('participantEvidence', 'The number of evidence files of all participants of all ecosystems'),
      ),
      evidenceBytes: Bytes.describe(withDefault('evidenceBytes', 'The total size of all evidence files, in bytes')),
      bulkIssuances: Quota.describe(withDefault('bulkIssuances', 'The number of bulk issuances')),
      bulkFileBytes: Bytes.describe(
        withDefault(
          'bulkFileBytes',
          'The total size of the files of bulk issuances whose rows are not stored yet, in bytes',
        ),
      ),
    } satisfies Record<keyof LimitNames, z.ZodType>)
    .partial(),
)
