import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { viewerOperations } from '../../../shared/viewer-operations.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const rolesOf = ({ access }: (typeof routes)[number]) => (access.kind === 'operators' ? access.roles : [])
const ofAdmins = routes.filter((route) => rolesOf(route).includes('admin'))

/** The reads of an admin with personal data or secrets. A new read is here or in `viewerOperations`. */
const hidden = [
  'retrieveWebSemanticCredentials',
  'retrieveWebSemanticCredential',
  'retrieveSdJwtCredentials',
  'retrieveSdJwtCredential',
  'retrieveCompactRevocationStatus',
  'retrieveCompactSemanticRevocationStatus',
  'retrieveWebSemanticRevocationStatus',
  'retrieveMobileStatus',
  'retrieveSdJwtStatus',
  'retrieveUsers',
  'retrieveUser',
  'retrieveUserCredentials',
  'retrieveIssuedCredentials',
  'retrieveIssuedCredential',
  'retrieveOffers',
  'retrieveOffer',
  'retrieveOfferTimeline',
  'retrieveOfferQr',
  'retrieveBulkRows',
  'retrieveBulkResults',
  'retrieveRevocationStatuses',
  'retrieveWebhookDeliveries',
  'retrieveWebhooks',
  'retrieveWebhook',
  'retrieveWebhookAttempt',
  'retrieveTroubledWebhooks',
  'streamWebhookListener',
  'retrieveInboxMessages',
  'retrieveInboxMessage',
  'retrieveParticipantEvidenceList',
  'retrieveParticipantEvidence',
  'downloadParticipantEvidence',
  'retrieveHolderApplicationInstances',
  'retrieveHolderApplicationInstance',
  'exportConfiguration',
  'retrieveErasures',
  'retrieveErasure',
]

test('each read of an admin is either for viewers or has personal data or secrets', () => {
  const reads = ofAdmins.filter(({ method, access }) => method === 'GET' && access.kind === 'operators')
  // Each caller reads its own session.
  const classified = reads.map(({ operation }) => operation).filter((each) => each !== 'retrieveConsoleSession')
  expect(classified.filter((each) => !viewerOperations.has(each)).sort()).toEqual(hidden.toSorted())
  const known = new Set(reads.map(({ operation }) => operation))
  expect([...viewerOperations].filter((each) => !known.has(each))).toEqual([])
})

test('no operation that changes something is for viewers', () => {
  const writes = routes.filter((route) => route.method !== 'GET' && rolesOf(route).includes('viewer'))
  expect(writes.map(({ operation }) => operation)).toEqual([])
})

test('a viewer reads settings, states and events, and gets 403 for personal data and for changes', async () => {
  const viewer = await service.as('viewer')
  const id = await compactConfiguration(service)
  const offer = await newOffer(service, [id])
  const paths = [`/v2/credentials/compact/configurations/${id}`, '/v1/events', '/v1/overview/counts', '/v1/settings']
  for (const path of paths) expect([path, (await viewer.get(path)).status]).toEqual([path, 200])
  const refused = [
    '/v1/users',
    '/v1/openid/offers',
    `/v1/openid/offers/${offer.id}/details`,
    '/v1/webhooks',
    '/v2/credentials/issued',
  ]
  for (const path of refused) expect([path, (await viewer.get(path)).status]).toEqual([path, 403])
  const changes = [
    await viewer.post('/v1/openid/offers', { credentials: [id] }),
    await viewer.delete(`/v2/credentials/compact/configurations/${id}`),
    await viewer.post('/v1/users/search', {}),
  ]
  expect(changes.map(({ status }) => status)).toEqual([403, 403, 403])
  const { body: counts } = await viewer.get('/v1/overview/counts')
  expect(counts).toMatchObject({ usableOffers: { count: 1 }, ecosystems: { count: 0 } })
})

test('an auditor sees the overview and no objects', async () => {
  const auditor = await service.as('auditor')
  for (const part of ['counts', 'certificates', 'jobs', 'publications'])
    expect((await auditor.get(`/v1/overview/${part}`)).status).toBe(200)
  expect((await auditor.get('/v1/webhooks')).status).toBe(403)
})
