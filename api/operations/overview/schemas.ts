import { z } from 'zod'
import { failReasons } from '../../../shared/domain/ecosystems/integrations.ts'
import { queues } from '../../../shared/jobs/definition.ts'
import { described, named, shownIdOf, Timestamp } from '../../http/fields.ts'

const Severity = named(
  'Severity',
  'How urgent it is: `critical` is wrong or will be within days, `warning` within weeks, `notice` is to be known',
  z.enum(['critical', 'warning', 'notice']),
)

/** What needs attention, the most urgent first. */
function attention<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('What needs attention, the most urgent first; empty where all is well. At most 100'),
    hasMore: z.boolean().describe('There is more than is listed'),
  })
}

const CertificateKindName = named(
  'CertificateKind',
  'What a certificate is for',
  z.enum(['iaca', 'document-signer', 'status-list-signer', 'ecosystem-ca', 'vical-signer', 'rical-signer']),
)

export const EndingCertificates = attention(
  z.object({
    id: shownIdOf('certificate'),
    kind: described(CertificateKindName, 'What it is for', 'iaca'),
    authorityId: shownIdOf('authority').optional().describe('The authority above it; absent for an authority'),
    endsAt: Timestamp.describe('When it ends'),
    daysLeft: described(z.int(), 'Whole days until it ends; negative when it is over', 12),
    renewal: described(
      named('CertificateRenewal', 'Who is to replace it', z.enum(['operator', 'late'])),
      '`operator`: nobody but you replaces it. `late`: the service was to replace it, and has not',
      'operator',
    ),
    severity: described(
      Severity,
      'Critical with less than 7 days left, a warning with less than 30 or when late',
      'warning',
    ),
  }),
)

const StatusListKindName = named(
  'StatusListProfile',
  'The profile of the credentials in a status list',
  z.enum(['compact', 'compact-semantic', 'web-semantic', 'mobile']),
)

export const LateStatusLists = attention(
  z.object({
    id: shownIdOf('status list'),
    profile: described(StatusListKindName, 'Of its credentials', 'compact'),
    reason: described(
      named(
        'LateStatusListReason',
        'What is wrong with a status list',
        z.enum(['expired', 'notRenewed', 'changesMissing']),
      ),
      '`expired`: verifiers refuse it. `notRenewed`: it was to be made anew. `changesMissing`: it does not show what was changed',
      'changesMissing',
    ),
    since: Timestamp.describe(
      'Since when: it expired, it was to be made anew, or the oldest change that it does not show was made',
    ),
    severity: described(Severity, 'Critical when it expired, or after an hour', 'warning'),
  }),
)

export const TroubledWebhooks = attention(
  z.object({
    id: shownIdOf('webhook'),
    url: described(z.string(), 'Where deliveries are sent to', 'https://hooks.example.org/credentials'),
    reason: described(
      named('TroubledWebhookReason', 'What is wrong with a webhook', z.enum(['failing', 'waiting', 'disabled'])),
      '`failing`: the last attempts failed. `waiting`: a delivery waits for more than a quarter of an hour. `disabled`: nothing is sent',
      'failing',
    ),
    since: Timestamp.optional().describe(
      'Since when it fails, or the oldest delivery waits; absent for one that was disabled and did not fail',
    ),
    failures: described(z.int(), 'How many attempts have failed in a row', 4),
    pausedUntil: Timestamp.optional().describe('After many failures in a row: nothing is attempted before'),
    waitingSince: Timestamp.optional().describe('When the oldest delivery was made that waits; absent where none does'),
    severity: described(
      Severity,
      'Critical after a day; a warning before, and when failures led to its end',
      'warning',
    ),
  }),
)

const QueueNameView = named('QueueName', 'A queue, whose jobs the processes with its duty do', z.enum(queues))

export const WorkQuery = z.object({
  waiting: z.enum(['late', 'all']).default('late').meta({
    description:
      '`late`: work that waits for longer than it should. `all`: whatever waits, what is not late as a `notice`',
  }),
})

export const WaitingJobs = attention(
  z.object({
    queue: described(QueueNameView, 'On which it is done', 'delivery'),
    work: described(
      named(
        'Work',
        'What the service does after it was asked for, and not at once',
        z.enum(['issuance', 'statusChange', 'delivery', 'message', 'bulk', 'integration']),
      ),
      '`issuance`: a credential is to be signed. `statusChange`: a status list is to show a change. `delivery`: a webhook is to be told. `message`: a message is to be sent to another service. `bulk`: a request about many credentials is not done. `integration`: the list of others is to be fetched',
      'delivery',
    ),
    since: Timestamp.describe(
      'Since when the oldest of this kind could be done; a time to come where it waits for that, as for another attempt',
    ),
    severity: described(
      Severity,
      'A warning after a minute (`issuance`), five (`statusChange`, `delivery`, `message`) or an hour; critical after an hour, for the last two kinds a day; a `notice` before',
      'warning',
    ),
  }),
)

export const TroubledPublications = attention(
  z.object({
    ecosystemId: shownIdOf('ecosystem'),
    list: described(
      named('TrustedListName', 'A kind of trusted list', z.enum(['VICAL', 'RICAL'])),
      'Which list',
      'VICAL',
    ),
    reason: described(
      named('TroubledPublicationReason', 'What is wrong with a publication', z.enum(['failed', 'due', 'ending'])),
      '`failed`: it could not be published by itself. `due`: it was to be, an hour ago or more. `ending`: the last list says that the next one comes within 14 days, or has come',
      'failed',
    ),
    since: Timestamp.optional().describe('Since when it fails, or is due; absent for `ending`'),
    nextUpdate: Timestamp.optional().describe(
      'By when the last list says that the next one comes; absent before the first',
    ),
    failure: described(
      z.string(),
      'Why it could not be published; absent where nothing failed',
      'there is no active ecosystem CA',
    ).optional(),
    severity: described(Severity, 'Critical within 3 days of `nextUpdate`; a warning otherwise', 'warning'),
  }),
)

const reasons = Object.keys(failReasons)

export const FailingIntegrations = attention(
  z.object({
    ecosystemId: shownIdOf('ecosystem'),
    url: described(z.string(), 'Where the list of others is fetched', 'https://lists.example.org/vical.cbor'),
    failures: described(z.int(), 'How many attempts have failed in a row', 3),
    reasons: described(
      z.array(z.string()),
      `Why it was not taken over: of ${reasons.map((each) => `\`${each}\``).join(', ')}`,
      ['FetchFailed'],
    ),
    since: Timestamp.optional().describe('When a good list was found last; absent where none ever was'),
    severity: described(Severity, 'Critical where no list was good for 7 days; a warning before', 'warning'),
  }),
)

const Count = named(
  'Count',
  'How many there are, counted so far',
  z.object({
    count: described(z.int(), 'How many were counted', 10_000),
    isAtLeast: described(z.boolean(), 'There may be more: it is not counted further', true),
  }),
)

const countOf = (what: string) => Count.optional().describe(`${what}; absent for roles that may not read them`)

export const Counts = z
  .object({
    users: countOf('Users'),
    credentials: countOf('Credentials that wallets collected, of users who are still there'),
    signedCredentials: countOf('Credentials that were signed directly'),
    notValid: countOf('Credentials of status lists that are revoked or suspended, also of users who were erased'),
    configurations: countOf('Configurations of credentials, of all profiles'),
    usableOffers: countOf('Pre-authorized offers that can be collected now, among the newest 2,000'),
    wallets: countOf('OAuth clients: wallets that are registered'),
    webhooks: countOf('Webhooks, disabled ones too'),
    pendingDeliveries: countOf('Deliveries of webhooks that wait for their first or next attempt'),
    ecosystems: countOf('Ecosystems'),
    participants: countOf('Participants of all ecosystems'),
  })
  .describe('Counted up to 10,000 each, so that a million take no longer')

const maxDays = 366

export const DaysQuery = z.object({
  days: z
    .string()
    .regex(/^\d{1,3}$/, `Must be a number from 1 to ${maxDays}`)
    .transform(Number)
    .refine((days) => days >= 1 && days <= maxDays, `Must be a number from 1 to ${maxDays}`)
    .default(30)
    .meta({ description: 'How many days, today among them', type: 'integer', minimum: 1, maximum: maxDays }),
})

export const IssuedDays = z.object({
  data: z
    .array(
      z.object({
        day: described(z.iso.date(), 'The day, in UTC', '2026-11-22'),
        issued: described(z.int(), 'Requests of wallets that ended with credentials', 128),
      }),
    )
    .describe('Each of the days, the oldest first and today at the end; seconds behind what happens'),
  total: described(z.int(), 'Of all these days', 128),
})

const jobsOf = (what: string, example: number) => described(z.int(), what, example)

export const QueuesView = z.object({
  data: z
    .array(
      z.object({
        queue: described(QueueNameView, 'Which queue', 'delivery'),
        waiting: jobsOf(
          'Jobs that could be done, and that nobody has taken; of `analytics` also the events that wait to be stored',
          3,
        ),
        active: jobsOf('Jobs that are being done', 1),
        delayed: jobsOf('Jobs that wait for their time: another attempt, or the next run of what runs by itself', 2),
        failed: jobsOf('Jobs that were given up in the last seven days; at most 10,000 are kept', 0),
        since: Timestamp.optional().describe(
          'Since when the oldest of those jobs waits that are first or last in line; absent where none waits. Requests for a signature, which ' +
            'are counted with the jobs of `signing` and end within seconds, have no time',
        ),
        workers: jobsOf(
          'Processes that take its jobs; absent where Redis does not tell who is connected',
          1,
        ).optional(),
      }),
    )
    .describe('Each queue of the service, whose jobs are of all tenants'),
  outbox: z
    .object({
      waiting: jobsOf('How many wait, counted up to 100,000', 0),
      since: Timestamp.optional().describe('Since when the oldest waits; absent where nothing waits'),
    })
    .describe('What was committed, and waits for a relay that puts it on its queue; more than some seconds: none runs'),
})
