import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { ecosystemIntegrations, integratedCertificates } from '../../../db/tables/ecosystems/integrations.ts'
import { viewerOperations } from '../../../shared/access/viewer-operations.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'
import { newEcosystem, newParticipant } from '../ecosystems/factories.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
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
  'exportUser',
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
  'retrieveAuthenticationProviders',
  'retrieveAuthenticationProvider',
  'retrieveClaimSources',
  'retrieveClaimSource',
  'retrieveOpenIdConfiguration',
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
  // Each caller reads its own session and sessions.
  const own = ['retrieveConsoleSession', 'retrieveConsoleSessions']
  const classified = reads.map(({ operation }) => operation).filter((each) => !own.includes(each))
  expect(classified.filter((each) => !viewerOperations.has(each)).sort()).toEqual(hidden.toSorted())
  const operations = new Set(reads.map(({ operation }) => operation))
  expect([...viewerOperations].filter((each) => !operations.has(each))).toEqual([])
})

test('no operation that changes something is for viewers, except the ends of their own sessions', () => {
  const writes = routes.filter((route) => route.method !== 'GET' && rolesOf(route).includes('viewer'))
  expect(writes.map(({ operation }) => operation)).toEqual(['endConsoleSession', 'endConsoleSessions'])
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
    '/v1/claim-sources',
    '/v1/openid/configuration',
    '/v1/users/authentication-providers',
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

test('a viewer sees no contacts of participants, and only the origins of external lists', async () => {
  const tenant = await service.addTenant()
  const url = 'https://lists.example.org/secret-path/vical.cbor?key=secret'
  const path = await newEcosystem(tenant, { integrations: [{ format: 'VICAL', url }] })
  const contacts = [{ phoneNumber: '+64 4 555 0100' }]
  const participant = await newParticipant(tenant, path, { contacts })
  await service.deps.db.tx(async (tx) => {
    const ofTenant = eq(ecosystemIntegrations.tenantId, tenant.id)
    const [row] = await tx.update(ecosystemIntegrations).set({ failures: 2 }).where(ofTenant).returning()
    const { id: integrationId, tenantId, ecosystemId, createdAt } = row!
    const listed = {
      id: newOrderedId(createdAt),
      fingerprint: '00'.repeat(32),
      certificate: Buffer.of(0),
      docTypes: [],
    }
    const times = { notBefore: createdAt, notAfter: createdAt, createdAt }
    const ids = { tenantId, ecosystemId, integrationId }
    await tx.insert(integratedCertificates).values({ ...ids, ...listed, ...times })
  })
  const readBy = async (role: string) => {
    const api = await tenant.as(role)
    return {
      urls: [
        (await api.get(path)).body?.integrations?.[0].url,
        (await api.get('/v1/ecosystems')).body?.data?.[0].integrations[0].url,
        (await api.get(`${path}/integrations/certificates`)).body?.data?.[0].url,
        (await api.get('/v1/overview/integrations')).body?.data?.[0].url,
      ],
      contacts: [
        (await api.get(participant)).body?.contacts,
        (await api.get(`${path}/participants`)).body?.data?.[0].contacts,
      ],
    }
  }
  expect(await readBy('dts-consumer')).toEqual({ urls: [url, url, url, url], contacts: [contacts, contacts] })
  const origin = 'https://lists.example.org'
  expect(await readBy('viewer')).toEqual({ urls: [origin, origin, origin, origin], contacts: [[], []] })
  expect((await readBy('auditor')).urls).toEqual([undefined, undefined, undefined, origin])
})

test('a viewer sees no content of a bulk file, also if its first row is about a person', async () => {
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant)
  const file = csvFile('20417,Ada Lovelace\n20418,Bob\n')
  const path = '/v1/bulk-issuances'
  const { id } = (await uploadTo(tenant.operator, path, ['file', file], ...bulkFields(configurationId))).body
  const readBy = async (role: string) => (await (await tenant.as(role)).get(`${path}/${id}`)).body
  await eventually(async () => (await readBy('issuer')).state === 'failed')
  expect((await readBy('issuer')).failure.message).toContain('Ada Lovelace')
  const seen = [await readBy('viewer'), (await (await tenant.as('viewer')).get(path)).body.data[0]]
  for (const bulk of seen) {
    expect(bulk.failure).toEqual({ code: 'missing_column', message: expect.stringMatching(/^Only roles/) })
    expect(JSON.stringify(bulk)).not.toContain('Ada')
  }
})

test('an auditor sees the overview and no objects', async () => {
  const auditor = await service.as('auditor')
  for (const part of ['counts', 'certificates', 'jobs', 'publications'])
    expect((await auditor.get(`/v1/overview/${part}`)).status).toBe(200)
  expect((await auditor.get('/v1/webhooks')).status).toBe(403)
})
