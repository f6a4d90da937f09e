import { findOutboxBacklog } from '../../../db/outbox.ts'
import { findUsedCertificates } from '../../../db/repos/certificates/used-certificates.ts'
import { findFailingIntegrations, findTroubledPublications } from '../../../db/repos/ecosystems/troubled-lists.ts'
import { type CountedResource, findCounts } from '../../../db/repos/operations/counts.ts'
import { findOldestWork, type WorkKind } from '../../../db/repos/operations/oldest-work.ts'
import { findPublicationEnds } from '../../../db/repos/operations/publication-ends.ts'
import { findTroubledWebhooks } from '../../../db/repos/operations/webhooks/troubled-webhooks.ts'
import { findLateLists } from '../../../db/repos/status/late-lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import type { PublicationKind } from '../../../shared/domain/operations/publications.ts'
import type { CertificateKind } from '../../../shared/formats/x509/profiles.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { either, issuers, managersOfWebhooks, readersOfEcosystems, visibleTo } from './access.ts'
import { endingCertificates, endingRegistrations } from './ending-certificates.ts'
import { findRegistrations } from './find-registrations.ts'
import { countIssuedDays } from './issued-days.ts'
import { countOfferHours, OfferHours } from './offer-hours.ts'
import { presentQueues } from './queues.ts'
import {
  Counts,
  DaysQuery,
  EndingCertificates,
  FailingIntegrations,
  IssuedDays,
  LateStatusLists,
  QueuesView,
  TroubledPublications,
  TroubledWebhooks,
  Validity,
  WaitingJobs,
  WorkQuery,
} from './schemas.ts'
import { maxListed, sortBySeverity } from './severity.ts'
import { findSigningRoots, SigningRoots, SigningRootsQuery } from './signing-roots.ts'
import {
  deliveryIsLateAfterMs,
  listIsLateAfterMs,
  presentFailingIntegration,
  presentLateList,
  presentTroubledPublication,
  presentTroubledWebhook,
  publicationEndsWithinMs,
} from './troubles.ts'
import { presentValidity } from './validity.ts'
import { presentWork } from './work.ts'

const kinds: Record<'issuing' | 'trusting', CertificateKind[]> = {
  issuing: ['iaca', 'document-signer', 'status-list-signer', 'sd-jwt-signer'],
  trusting: ['ecosystem-ca', 'vical-signer', 'rical-signer'],
}
const published: Record<'issuing' | 'trusting', PublicationKind[]> = {
  issuing: [
    ...(['compact-list', 'compact-semantic-list', 'web-semantic-list', 'mobile-list', 'sd-jwt-list'] as const),
    ...(['iaca', 'iaca-crl'] as const),
  ],
  trusting: ['ecosystem-ca', 'ecosystem-ca-crl', 'vical', 'rical'],
}
const counted: Record<'issuing' | 'trusting', CountedResource[]> = {
  issuing: [
    ...(['users', 'credentials', 'signedCredentials', 'notValid', 'configurations'] as const),
    ...(['usableOffers', 'failedOffers', 'wallets', 'webhooks', 'pendingDeliveries'] as const),
  ],
  trusting: ['ecosystems', 'participants'],
}
const work: Record<'issuing' | 'trusting', WorkKind[]> = {
  issuing: ['issuance', 'statusChange', 'delivery', 'message', 'bulk'],
  trusting: ['integration'],
}
/** The maximum number of certificates of a tenant that are checked. A tenant uses about five of a kind. */
const maxCertificates = 500

/** The first page of the console polls these routes. They change nothing and show no personal data, so they have no events. */
const shared = { tag: 'Overview', method: 'GET', status: 200, readsStandby: true } as const

export const overviewRoutes = [
  defineRoute({
    ...shared,
    operation: 'retrieveEndingCertificates',
    summary: 'List the certificates in use that end within 60 days or have ended and are not replaced',
    path: '/v1/overview/certificates',
    access: either,
    response: EndingCertificates,
    async handle({ tenantId, caller, deps: { db, clock } }) {
      const visible = visibleTo(caller, kinds)
      const used = await findUsedCertificates(db.read, tenantId, visible, maxCertificates)
      const registered = visible.includes('iaca') ? await findRegistrations(db.read, tenantId) : []
      const at = clock.now()
      const ending = [...endingCertificates(used, at), ...endingRegistrations(registered, at)]
      return sortBySeverity(ending, ({ endsAt }) => endsAt)
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveValidity',
    summary:
      'List the kinds of published documents with the time when the first document of each kind ends, the soonest first',
    path: '/v1/overview/validity',
    access: either,
    response: Validity,
    async handle({ tenantId, caller, deps: { db, clock } }) {
      const at = clock.now()
      return presentValidity(await findPublicationEnds(db.read, tenantId, at), visibleTo(caller, published), at)
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveSigningRoots',
    summary: 'List the IACAs that sign new mobile credentials and SD-JWT VCs now, or what is missing',
    path: '/v1/overview/signing-roots',
    access: issuers,
    query: SigningRootsQuery,
    response: SigningRoots,
    problems: ['bad_request'],
    handle: ({ tenantId, query: { iacaId: caId }, deps: { db, clock } }) =>
      findSigningRoots(db.read, tenantId, { caId, at: clock.now() }),
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveLateStatusLists',
    summary: 'List the status lists that are late',
    path: '/v1/overview/status-lists',
    access: issuers,
    response: LateStatusLists,
    async handle({ tenantId, deps: { db, clock } }) {
      const at = clock.now()
      const rows = await findLateLists(db.read, tenantId, plusMs(at, -listIsLateAfterMs), maxListed + 1)
      return sortBySeverity(
        rows.map((row) => presentLateList(row, at)),
        ({ since }) => since,
      )
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveTroubledWebhooks',
    summary: 'List the webhooks that fail, keep deliveries waiting, or are disabled',
    path: '/v1/overview/webhooks',
    access: managersOfWebhooks,
    response: TroubledWebhooks,
    async handle({ tenantId, deps: { db, clock } }) {
      const at = clock.now()
      const rows = await findTroubledWebhooks(db.read, tenantId, plusMs(at, -deliveryIsLateAfterMs), maxListed + 1)
      return sortBySeverity(
        rows.map((row) => presentTroubledWebhook(row, at)),
        ({ since }) => since,
      )
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveLateJobs',
    summary: 'List the kinds of work of the tenant that wait in a queue, with the time of the oldest',
    path: '/v1/overview/jobs',
    access: either,
    query: WorkQuery,
    response: WaitingJobs,
    problems: ['bad_request'],
    async handle({ tenantId, caller, query, deps: { db, clock } }) {
      const at = clock.now()
      const rows = await findOldestWork(db.read, tenantId, visibleTo(caller, work))
      const presented = rows.map((each) => presentWork(each, at))
      return sortBySeverity(
        presented.filter(({ severity }) => query.waiting === 'all' || severity !== 'notice'),
        ({ since }) => since,
      )
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveTroubledPublications',
    summary: 'List the trusted lists whose publication failed or is due, and those that end within 14 days',
    path: '/v1/overview/publications',
    access: readersOfEcosystems,
    response: TroubledPublications,
    async handle({ tenantId, deps: { db, clock } }) {
      const at = clock.now()
      const endsBy = plusMs(at, publicationEndsWithinMs)
      const rows = await findTroubledPublications(db.read, tenantId, { at, endsBy, limit: maxListed + 1 })
      return sortBySeverity(
        rows.flatMap((row) => presentTroubledPublication(row, at)),
        ({ since, nextUpdate }) => since ?? nextUpdate,
      )
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveFailingIntegrations',
    summary: 'List the integrations whose last attempt failed',
    path: '/v1/overview/integrations',
    access: readersOfEcosystems,
    response: FailingIntegrations,
    async handle({ tenantId, caller, deps: { db, clock } }) {
      const at = clock.now()
      const rows = await findFailingIntegrations(db.read, tenantId, maxListed + 1)
      return sortBySeverity(
        rows.map((row) => presentFailingIntegration(row, caller, at)),
        ({ since }) => since ?? '',
      )
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveCounts',
    summary: 'Count the resources of the tenant, up to 10,000 of each kind',
    path: '/v1/overview/counts',
    access: either,
    response: Counts,
    async handle({ tenantId, caller, deps: { db, clock } }) {
      const kindsToCount = visibleTo(caller, counted)
      const counts = await findCounts(db.read, tenantId, kindsToCount, clock.now())
      const none = kindsToCount.map((each) => [each, { count: 0, isAtLeast: false }])
      const some = counts.map(({ counted: each, count, isAtLeast }) => [each, { count, isAtLeast }])
      return Object.fromEntries([...none, ...some])
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveIssuedDays',
    summary: 'Count the issuances, and the failed and expired offers, of each of the last days',
    path: '/v1/overview/issuances',
    access: issuers,
    query: DaysQuery,
    response: IssuedDays,
    problems: ['bad_request'],
    handle: ({ tenantId, query: { days }, deps }) => countIssuedDays(deps, tenantId, days),
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveOfferHours',
    summary: 'Count the offers for one person of each of the last 24 hours by outcome',
    path: '/v1/overview/offers',
    access: issuers,
    response: OfferHours,
    handle: ({ tenantId, deps }) => countOfferHours(deps, tenantId),
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveQueues',
    summary:
      'List the queues of the service with their jobs, the time of the oldest waiting job and the number of workers',
    path: '/v1/overview/queues',
    host: 'platform',
    access: operators('platform'),
    response: QueuesView,
    async handle({ deps: { bus, db, clock } }) {
      const [queues, outbox] = await Promise.all([bus.queueStatuses(), findOutboxBacklog(db.read, clock.now())])
      return presentQueues(queues, outbox)
    },
  }),
]
