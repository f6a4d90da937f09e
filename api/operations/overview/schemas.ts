import { z } from 'zod'
import { failReasons } from '../../../shared/domain/ecosystems/integrations.ts'
import { publicationKinds } from '../../../shared/domain/operations/publications.ts'
import { loteTypeNames } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { queues } from '../../../shared/jobs/definition.ts'
import { described, named, shownIdOf, Timestamp } from '../../http/fields.ts'

const Severity = named(
  'Severity',
  'The urgency: `critical` needs an action now or within days, `warning` within weeks, `notice` needs none',
  z.enum(['critical', 'warning', 'notice']),
)

function attention<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('The items that need attention, the most urgent first. At most 100'),
    hasMore: z.boolean().describe('Whether there are more items'),
  })
}

const CertificateKindName = named(
  'CertificateKind',
  'The purpose of a certificate',
  z.enum([
    ...(['iaca', 'document-signer', 'status-list-signer', 'sd-jwt-signer', 'ecosystem-ca'] as const),
    ...(['vical-signer', 'rical-signer', 'access-certificate', 'registration-certificate'] as const),
  ]),
)

export const EndingCertificates = attention(
  z.object({
    id: shownIdOf('certificate'),
    kind: described(
      CertificateKindName,
      'The purpose. The id of a `registration-certificate` is that of the tenant',
      'iaca',
    ),
    authorityId: shownIdOf('authority').optional().describe('The issuing authority. Absent for an authority'),
    endsAt: Timestamp.describe('The end of validity'),
    daysLeft: described(z.int(), 'Whole days until the end. Negative after the end', 12),
    renewal: described(
      named('CertificateRenewal', 'Who must replace the certificate', z.enum(['operator', 'late'])),
      '`operator`: you must replace it. `late`: the service has not replaced it in time',
      'operator',
    ),
    severity: described(
      Severity,
      'Critical with less than 7 days left, a warning with less than 30 or when late',
      'warning',
    ),
  }),
)

export const Validity = z.object({
  data: z
    .array(
      z.object({
        kind: described(
          named('PublicationKind', 'A kind of published documents', z.enum(publicationKinds)),
          'The kind of the documents',
          'vical',
        ),
        endsAt: Timestamp.describe('The time when the first of the current documents of this kind ends'),
        secondsLeft: described(z.int(), 'The time until then. Negative if verifiers refuse a document now', 86_400),
      }),
    )
    .describe('The kinds that have documents'),
})

const StatusListKindName = named(
  'StatusListProfile',
  'The profile of the credentials in a status list',
  z.enum(['compact', 'compact-semantic', 'web-semantic', 'mobile', 'sd-jwt']),
)

export const LateStatusLists = attention(
  z.object({
    id: shownIdOf('status list'),
    profile: described(StatusListKindName, 'The profile of its credentials', 'compact'),
    reason: described(
      named(
        'LateStatusListReason',
        'What is wrong with a status list',
        z.enum(['expired', 'notRenewed', 'changesMissing']),
      ),
      '`expired`: verifiers refuse it. `notRenewed`: its renewal is late. `changesMissing`: it does not have the latest changes',
      'changesMissing',
    ),
    since: Timestamp.describe('The time of the expiry, of the due renewal, or of the oldest missing change'),
    severity: described(Severity, 'Critical after the expiry or after an hour', 'warning'),
  }),
)

export const TroubledWebhooks = attention(
  z.object({
    id: shownIdOf('webhook'),
    url: described(z.string(), 'The URL that receives deliveries', 'https://hooks.example.org/credentials'),
    reason: described(
      named('TroubledWebhookReason', 'What is wrong with a webhook', z.enum(['failing', 'waiting', 'disabled'])),
      '`failing`: the last attempts failed. `waiting`: a delivery has waited for more than 15 minutes. `disabled`: the webhook is disabled',
      'failing',
    ),
    since: Timestamp.optional().describe(
      'The time since which it fails or the oldest delivery waits. Absent if it was disabled without failures',
    ),
    failures: described(z.int(), 'How many attempts have failed in a row', 4),
    pausedUntil: Timestamp.optional().describe('The end of a pause after many failures in a row'),
    waitingSince: Timestamp.optional().describe(
      'The creation time of the oldest waiting delivery. Absent if none waits',
    ),
    severity: described(Severity, 'Critical after a day. A warning before, and after failures disabled it', 'warning'),
  }),
)

const QueueNameView = named('QueueName', 'The name of a queue', z.enum(queues))

export const WorkQuery = z.object({
  waiting: z.enum(['late', 'all']).default('late').meta({
    description: '`late`: only late work. `all`: all waiting work. Work that is not late has the severity `notice`',
  }),
})

export const WaitingJobs = attention(
  z.object({
    queue: described(QueueNameView, 'The queue of the work', 'delivery'),
    work: described(
      named(
        'Work',
        'A kind of asynchronous work',
        z.enum(['issuance', 'statusChange', 'delivery', 'message', 'bulk', 'integration']),
      ),
      '`issuance`: sign a credential. `statusChange`: publish a changed status list. `delivery`: send an event to a webhook. `message`: send a message to another service. `bulk`: change the status of many credentials. `integration`: fetch an external list',
      'delivery',
    ),
    since: Timestamp.describe(
      'The time from which the oldest work of this kind can run. It is in the future if it waits for a retry',
    ),
    severity: described(
      Severity,
      'A warning after one minute (`issuance`), five minutes (`statusChange`, `delivery`, `message`) or an hour (`bulk`, `integration`). Critical after an hour, or a day for `bulk` and `integration`',
      'warning',
    ),
  }),
)

export const TroubledPublications = attention(
  z.object({
    ecosystemId: shownIdOf('ecosystem'),
    list: described(
      named('TrustedListName', 'A kind of trusted list', z.enum(['VICAL', 'RICAL', ...loteTypeNames])),
      'The kind of the list',
      'VICAL',
    ),
    reason: described(
      named('TroubledPublicationReason', 'What is wrong with a publication', z.enum(['failed', 'due', 'ending'])),
      '`failed`: the automatic publication failed. `due`: the publication is more than an hour late. `ending`: `nextUpdate` is within 14 days or has passed',
      'failed',
    ),
    since: Timestamp.optional().describe('The time since which it fails or is due. Absent for `ending`'),
    nextUpdate: Timestamp.optional().describe('The `nextUpdate` of the last list. Absent before the first list'),
    failure: described(
      z.string(),
      'The reason of the failure. Absent if nothing failed',
      'there is no active ecosystem CA',
    ).optional(),
    severity: described(Severity, 'Critical from 3 days before `nextUpdate`. Otherwise a warning', 'warning'),
  }),
)

const reasons = Object.keys(failReasons)

export const FailingIntegrations = attention(
  z.object({
    ecosystemId: shownIdOf('ecosystem'),
    url: described(
      z.string(),
      'The URL of the external list. Viewers and auditors see only its origin',
      'https://lists.example.org/vical.cbor',
    ),
    failures: described(z.int(), 'How many attempts have failed in a row', 3),
    reasons: described(
      z.array(z.string()),
      `The reasons of the failure: ${reasons.map((each) => `\`${each}\``).join(', ')}`,
      ['FetchFailed'],
    ),
    since: Timestamp.optional().describe('The time of the last valid list. Absent if there was none'),
    severity: described(Severity, 'Critical after 7 days without a valid list. A warning before', 'warning'),
  }),
)

const Count = named(
  'Count',
  'A number of resources',
  z.object({
    count: described(z.int(), 'The number that was counted', 10_000),
    isAtLeast: described(z.boolean(), 'Whether there can be more, because counting stopped', true),
  }),
)

const countOf = (what: string) => Count.optional().describe(`${what}. Absent if the roles cannot read them`)

export const Counts = z
  .object({
    users: countOf('Users'),
    credentials: countOf('Credentials that wallets collected, of users who were not deleted'),
    signedCredentials: countOf('Credentials that were signed directly'),
    notValid: countOf('Revoked and suspended credentials, also of deleted users'),
    configurations: countOf('Configurations of credentials, of all profiles'),
    usableOffers: countOf('Offers of both kinds that can be collected now'),
    failedOffers: countOf(
      'Offers for one person of the last 24 hours whose last request failed, among the newest 2,000 that had a failure',
    ),
    wallets: countOf('OAuth clients: wallets that are registered'),
    webhooks: countOf('Webhooks, including disabled ones'),
    pendingDeliveries: countOf('Deliveries of webhooks that wait for their first or next attempt'),
    ecosystems: countOf('Ecosystems'),
    participants: countOf('Participants of all ecosystems'),
  })
  .describe('Each number is counted up to 10,000')

const maxDays = 366

export const DaysQuery = z.object({
  days: z
    .string()
    .regex(/^\d{1,3}$/, `Must be a number from 1 to ${maxDays}`)
    .transform(Number)
    .refine((days) => days >= 1 && days <= maxDays, `Must be a number from 1 to ${maxDays}`)
    .default(30)
    .meta({ description: 'The number of days, including today', type: 'integer', minimum: 1, maximum: maxDays }),
})

export const IssuedDays = z.object({
  data: z
    .array(
      z.object({
        day: described(z.iso.date(), 'The day, in UTC', '2026-11-22'),
        issued: described(z.int(), 'Credential requests that succeeded', 128),
        failed: described(
          z.int(),
          'Offers for one person that expired without a credential after a failed request. Counted on the day of their expiry',
          3,
        ),
        expired: described(
          z.int(),
          'Offers for one person that expired unused. Counted on the day of their expiry. Offers of claim links are not counted',
          5,
        ),
      }),
    )
    .describe(
      'One entry for each day, the oldest first. New issuances appear after some seconds, failed and expired offers 90 minutes after their expiry',
    ),
  total: described(z.int(), 'The total of the issuances of these days', 128),
  configurations: z
    .array(
      z.object({
        configurationId: shownIdOf('configuration'),
        name: described(z.string(), 'Its name. Absent if it was deleted', 'Driving licence').optional(),
        issued: described(z.array(z.int()), 'The issuances of each day, in the order of `data`', [128]),
      }),
    )
    .describe(
      'The configurations with the most issuances in these days, at most 5. Days before the service counted by configuration have 0',
    ),
})

const jobsOf = (what: string, example: number) => described(z.int(), what, example)

export const QueuesView = z.object({
  data: z
    .array(
      z.object({
        queue: described(QueueNameView, 'The name of the queue', 'delivery'),
        waiting: jobsOf(
          'Jobs that can run and wait for a worker. For `analytics` this includes events of an earlier version that wait in Redis',
          3,
        ),
        active: jobsOf('Running jobs', 1),
        delayed: jobsOf('Jobs that wait for a retry or for their schedule', 2),
        failed: jobsOf('Jobs that failed finally in the last seven days, at most 10,000', 0),
        since: Timestamp.optional().describe(
          'The time since which the first or last waiting job waits. Absent if none waits. Requests for a signature count as jobs of ' +
            '`signing`, but have no time',
        ),
        workers: jobsOf('Workers that take jobs. Absent if a Redis does not list its clients', 1).optional(),
      }),
    )
    .describe('The queues of the service, with the jobs of all tenants'),
  outbox: z
    .object({
      waiting: jobsOf('The number of waiting jobs, counted up to 100,000', 0),
      since: Timestamp.optional().describe('The time since which the oldest job waits. Absent if none waits'),
    })
    .describe(
      'Committed jobs that wait for a relay to queue them. If they wait for more than some seconds, no relay runs',
    ),
})
