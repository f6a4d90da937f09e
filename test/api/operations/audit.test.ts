import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineAuditedRoute } from '../../../api/audit/define-audited-route.ts'
import { operators } from '../../../api/http/route.ts'
import { mergeWalks } from '../../../api/operations/events/merge-walks.ts'
import { routes } from '../../../api/routes.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { insertEvents } from '../../../db/repos/operations/search/events.ts'
import { insertClient, listClients } from '../../../db/repos/tenancy/clients.ts'
import { findPlatformId } from '../../../db/repos/tenancy/tenants.ts'
import { trustedListSigner } from '../../../workers/signing/certificates/signers.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import type { Api, ApiResponse } from '../../harness/api-client.ts'
import {
  app,
  applications,
  authority,
  iacas,
  listConfigurations,
  provider,
  providers,
  source,
  trusted,
  wallet,
  walletProviders,
  webhook,
} from '../../harness/audited-samples.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { signingDeps } from '../../harness/published.ts'
import { createTestKeyProvider } from '../../harness/test-key-provider.ts'
import { newHolderInstance } from '../../wallets/android-device.ts'
import {
  clientCalls,
  ecosystemCertificateCalls,
  inboxCalls,
  isOfBulk,
  newAuditedObjects,
  platformCalls,
  verifierObjectCalls,
} from './audited-calls.ts'
import { ecosystemCalls } from './ecosystem-calls.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ keyProviders: [createTestKeyProvider().provider] })
})
afterAll(() => service[Symbol.asyncDispose]())

const secret = `secret-${randomUUID()}`
const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/)

/** The tenants whose operations are tested, by id. */
const audited = new Map<string, TestTenant>()

/** Ids of created objects by the operation that created them. */
type Made = Record<string, string>

const ofDids = { compact: 'Compact', 'compact-semantic': 'CompactSemantic', 'web-semantic': 'WebSemantic' } as const

/** The audited calls in order, each with the data of its audit row. `made` has the ids of earlier rows. */
const calls: [operation: string, call: (api: Api, made: Made) => Promise<ApiResponse>, data: object][] = [
  ...clientCalls(secret),
  ...verifierObjectCalls(),
  ['createOAuthClient', (api) => api.post('/v1/openid/clients', wallet('One')), {}],
  [
    'updateOAuthClient',
    (api, { createOAuthClient }) => api.put(`/v1/openid/clients/${createOAuthClient}`, wallet(secret)),
    { changed: ['name'] },
  ],
  ['deleteOAuthClient', (api, { createOAuthClient }) => api.delete(`/v1/openid/clients/${createOAuthClient}`), {}],
  ['createAuthenticationProvider', (api) => api.post(providers, provider('https://login.example', secret)), {}],
  [
    'updateAuthenticationProvider',
    (api, { createAuthenticationProvider: id }) =>
      api.put(`${providers}/${id}`, { ...provider('https://login.example', `${secret}2`), scope: ['openid', 'email'] }),
    { changed: ['clientSecret', 'scope'] },
  ],
  ['deleteAuthenticationProvider', (api, { createAuthenticationProvider: id }) => api.delete(`${providers}/${id}`), {}],
  ['createClaimSource', (api) => api.post('/v1/claim-sources', source(secret)), {}],
  [
    'updateClaimSource',
    (api, { createClaimSource }) => api.put(`/v1/claim-sources/${createClaimSource}`, source(`${secret}2`)),
    { changed: ['authorization'] },
  ],
  ['deleteClaimSource', (api, { createClaimSource }) => api.delete(`/v1/claim-sources/${createClaimSource}`), {}],
  [
    'updateOpenIdConfiguration',
    (api) => api.put('/v1/openid/configuration', { interactionHook: { url: `https://hook.example/${secret}` } }),
    { changed: ['claims', 'disabled', 'secret', 'sessionTimeoutInSec', 'url'] },
  ],
  ['createWebhook', (api) => api.post('/v1/webhooks', webhook(secret)), {}],
  [
    'updateWebhook',
    (api, { createWebhook }) => api.put(`/v1/webhooks/${createWebhook}`, webhook(`${secret}2`)),
    { changed: ['url'] },
  ],
  ['rotateKeys', (api) => api.post('/v1/keys/credentials/rotate'), { purpose: 'did' }],
  ['rotateWebhookKey', (api) => api.post('/v1/webhooks/keys/rotate'), { id: expect.any(String), purpose: 'webhook' }],
  ['deleteWebhook', (api, { createWebhook }) => api.delete(`/v1/webhooks/${createWebhook}`), {}],
  ...Object.entries(ofDids).map(([profile, word]): (typeof calls)[number] => [
    `set${word}RevocationStatus`,
    (api, made) => api.post(`/v2/credentials/${profile}/${made[profile]}/revocation-status`, { isRevoked: true }),
    { isRevoked: true },
  ]),
  [
    'setRevocationStatuses',
    (api, made) => api.post('/v2/credentials/revocation-status', { credentials: [made.compact], isRevoked: false }),
    { isRevoked: false, accepted: 1 },
  ],
  ['createTrustedIssuer', async (api) => api.post(trusted, await authority(`CA ${secret}`)), { fingerprint }],
  ['createWalletProvider', async (api) => api.post(walletProviders, await authority(secret)), { fingerprint }],
  ['deleteWalletProvider', (api, made) => api.delete(`${walletProviders}/${made.createWalletProvider}`), {}],
  ['deleteTrustedIssuer', (api, { createTrustedIssuer }) => api.delete(`${trusted}/${createTrustedIssuer}`), {}],
  ['createIaca', (api) => api.post(iacas, { commonName: secret, country: 'NZ' }), { isManaged: true }],
  ['createDid', (api) => api.post('/v1/dids', { method: 'web', options: { url: 'did.example' } }), { method: 'web' }],
  ['deleteDid', (api) => api.delete('/v1/dids/did:web:did.example'), { id: 'did:web:did.example' }],
  ...ecosystemCalls(secret),
  ...inboxCalls((tenantId) => audited.get(tenantId)!.did, secret),
  ['createHolderApplication', (api) => api.post(applications, app('One')), {}],
  [
    'updateHolderApplication',
    (api, { createHolderApplication: id }) => api.put(`${applications}/${id}`, app(secret)),
    { changed: ['name'] },
  ],
  [
    'deleteHolderApplicationInstance',
    async (api, { createHolderApplication: id, tenant }) => {
      const { anonymous } = audited.get(tenant!)!
      return api.delete(`${applications}/${id}/instances/${await newHolderInstance({ anonymous }, id!)}`)
    },
    { id: expect.any(String) },
  ],
  ['deleteHolderApplication', (api, { createHolderApplication: id }) => api.delete(`${applications}/${id}`), {}],
  ...Object.entries({ mobile: 'Mobile', 'sd-jwt': 'SdJwt' }).flatMap(([profile, word]): typeof calls => {
    const [pathTo, status] = [(made: Made) => `/v2/credentials/${profile}/${made[profile]}`, 'invalid']
    return [
      [`set${word}Status`, (api, made) => api.post(`${pathTo(made)}/status`, { status }), { status }],
      [`delete${word}Credential`, (api, made) => api.delete(pathTo(made)), {}],
    ]
  }),
  [
    'createStatusListConfiguration',
    (api) => api.post(listConfigurations, { docType: 'Licence' }),
    { docType: 'Licence' },
  ],
  [
    'updateStatusListConfiguration',
    (api, { createStatusListConfiguration: id }) =>
      api.put(`${listConfigurations}/${id}`, { expiryDuration: { days: 9 } }),
    { ttlDays: 1, expiryDays: 9 },
  ],
  [
    'deleteStatusListConfiguration',
    (api, { createStatusListConfiguration: id }) => api.delete(`${listConfigurations}/${id}`),
    {},
  ],
  ...Object.entries(ofDids).map(([profile, word]): (typeof calls)[number] => [
    `delete${word}Credential`,
    (api, made) => api.delete(`/v2/credentials/${profile}/${made[profile]}`),
    {},
  ]),
  ...Object.entries({
    DocumentSigner: '/v2/credentials/mobile/document-signers',
    StatusListSigner: '/v2/credentials/mobile/status-list-signers',
    SdJwtSigner: '/v2/credentials/sd-jwt/signers',
  }).flatMap(([word, path]): typeof calls => {
    return [
      [`create${word}`, (api, { createIaca: iacaId }) => api.post(path, { iacaId }), { madeBy: 'operator' }],
      [
        `update${word}`,
        (api, made) => api.put(`${path}/${made[`create${word}`]}`, { active: false }),
        { active: false },
      ],
      [
        `revoke${word}`,
        (api, made) => api.post(`${path}/${made[`create${word}`]}/revoke`, {}),
        { iacaId: expect.any(String) },
      ],
      [`delete${word}`, (api, made) => api.delete(`${path}/${made[`create${word}`]}`), {}],
    ]
  }),
  ['updateIaca', (api, { createIaca }) => api.put(`${iacas}/${createIaca}`, { active: false }), { active: false }],
  ['deleteIaca', (api, { createIaca }) => api.delete(`${iacas}/${createIaca}`), {}],
  ...ecosystemCertificateCalls(secret),
  ['deleteUser', (api, { user }) => api.delete(`/v1/users/${user}`), {}],
]

const ofPlatform = platformCalls(secret)

/** Operations without an effect on security. Each new operation is listed here or among the audited calls. */
const ordinary = `
  decryptMessage encryptMessage signMessage verifyMessage evaluatePresentationQuery
  createCompactConfiguration updateCompactConfiguration deleteCompactConfiguration
  createCompactSemanticConfiguration updateCompactSemanticConfiguration deleteCompactSemanticConfiguration
  createMobileConfiguration updateMobileConfiguration deleteMobileConfiguration
  createSdJwtConfiguration updateSdJwtConfiguration deleteSdJwtConfiguration
  createWebSemanticConfiguration updateWebSemanticConfiguration deleteWebSemanticConfiguration createOffer
  createPresentationTemplate updatePresentationTemplate deletePresentationTemplate createPresentationRequest verifyPresentation
  createPreAuthorizedOffer deletePreAuthorizedOffer deleteOffer createUser searchUsers updateUser replayWebhookDelivery
  previewSettings testWebhook testSignInProvider testAuthenticationProvider testAuthorizationServer testClaimSource testClientAttestation testOpenIdConfiguration replayWebhookDeliveries deleteInboxMessage sendMessage signCompact signCompactSemantic signWebSemantic signSdJwt
  createWebSemanticRevocationMessage validateIssuer validateVerifier answerWebhookListenerRequest planConfiguration compareKeys
  verifyCompactCredential verifyCompactSemanticCredential verifyWebSemanticCredential verifySdJwtCredential
`

test('every operation of operators that changes data is audited unless it does not affect security', () => {
  const writing = routes.filter(({ access, method }) => access.kind === 'operators' && method !== 'GET')
  const audited = writing.filter(({ audit }) => audit).map(({ operation }) => operation)
  expect(audited.sort()).toEqual([...calls, ...ofPlatform].map(([operation]) => operation).sort())
  const others = writing.filter(({ audit }) => !audit).map(({ operation }) => operation)
  expect(others.sort()).toEqual(ordinary.trim().split(/\s+/).sort())
})

async function auditOf(tenantId: string) {
  const { rows } = await listAuditEvents(service.deps.db.read, tenantId, {}, 1000)
  return rows.toReversed()
}

async function run(api: Api, chain: string, each: typeof calls, made: Made, clientId?: string) {
  for (const [operation, call, data] of each) {
    const answer = await call(api, made)
    expect([operation, answer.status, answer.body]).toEqual([
      operation,
      expect.toBeOneOf([200, 201, 202, 204]),
      answer.body,
    ])
    made[operation] = answer.body?.id ?? answer.body?.clientId
    const { event } = routes.find((route) => route.operation === operation)!
    const requestId = answer.headers['x-request-id']
    const row = (await auditOf(chain)).findLast((each) => each.requestId === requestId && !isOfBulk(each))
    expect(row).toMatchObject({ type: `${event}_AUDIT`, requestId, data, ...(clientId ? { clientId } : {}) })
    const named = made[operation] ?? made[operation.replace(/^(update|delete)/, 'create')]
    if (named) expect(row?.data).toMatchObject({ id: named })
  }
}

/** Creates the list signers, which would otherwise be created and audited when they are first needed. */
async function newListSigners(tenant: TestTenant) {
  await newEcosystemCa(tenant)
  const deps = signingDeps(service)
  for (const kind of ['vical', 'rical'] as const) await trustedListSigner(deps, { tenantId: tenant.id, kind })
}

test('each operation leaves one row with operation, client and request, but without content', async () => {
  const tenant = await service.addTenant()
  audited.set(tenant.id, tenant)
  const user = (await tenant.operator.post('/v1/users', { claims: { name: secret } })).body.id
  const before = await auditOf(tenant.id)
  expect(before.map(({ type }) => type)).toEqual(['TENANT_CREATE_AUDIT', 'KEY_CREATE_AUDIT'])

  await newListSigners(tenant)
  const first = (await auditOf(tenant.id)).length

  const made: Made = { tenant: tenant.id, user, ...(await newAuditedObjects(service, tenant.id)) }
  await run(tenant.operator, tenant.id, calls, made, tenant.clientId)
  const rows = await auditOf(tenant.id)
  // The audit row of the keys of a DID.
  const keysMade = rows.slice(first).filter(({ type }) => type === 'KEY_CREATE_AUDIT')
  expect(keysMade).toMatchObject([{ data: { did: 'did:web:did.example', keys: [{}, {}, {}, {}] } }])
  // applyConfiguration and approveRequest also record what they change. A retry and a link need two more bulk issuances.
  expect(rows.filter((row) => !isOfBulk(row))).toHaveLength(first + calls.length + 5 + keysMade.length)
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1))
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(rows.at(-1)?.data).toEqual({ id: user, erasureId: expect.any(String) })
})

test("operations of the platform on a tenant are in both chains, and the head of a deleted tenant's chain is kept", async () => {
  const platformId = (await findPlatformId(service.deps.db.read))!
  const made: Made = {}
  await run(service.platform, platformId, ofPlatform.slice(0, 4), made)
  const own = await auditOf(made.createTenant!)
  const changes = ['TENANT_UPDATE_AUDIT', 'TENANT_MOVE_START_AUDIT', 'TENANT_MOVE_END_AUDIT']
  expect(own.map(({ type }) => type)).toEqual(['TENANT_CREATE_AUDIT', 'KEY_CREATE_AUDIT', ...changes])
  await run(service.platform, platformId, ofPlatform.slice(4), made)
  const { number, hash } = own.at(-1)!
  expect((await auditOf(platformId)).at(-1)?.data).toMatchObject({ auditHead: { number, hash } })
  await eventually(async () => (await auditOf(made.createTenant!)).length === 0)
  expect(JSON.stringify(await auditOf(platformId))).not.toContain(secret)
})

test('an operation that is refused or rolled back leaves no audit row', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const { body } = await operator.post(providers, provider('https://login.example', secret))
  await operator.post('/v1/users', { authenticationProvider: { providerId: body.id, subjectId: 'ana' } })
  const before = await auditOf(tenant.id)
  const answers = [
    // The deletion is rolled back because the provider is in use.
    await operator.delete(`${providers}/${body.id}`),
    await operator.post(providers, provider('https://other.example', secret)),
    await operator.delete(`/v1/users/${randomUUID()}`),
    await operator.put(`/v1/webhooks/${randomUUID()}`, webhook('x')),
    await (await service.as('auditor')).delete(`/v1/users/${randomUUID()}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 404, 404, 403])
  expect(await auditOf(tenant.id)).toEqual(before)
})

test('an audited operation without an audit row fails and is rolled back', async () => {
  const { deps } = service
  const route = (handle: Parameters<typeof defineAuditedRoute>[0]['handle']) =>
    defineAuditedRoute({
      ...routes.find(({ operation }) => operation === 'createClient')!,
      access: operators('admin'),
      event: 'TEST',
      handle,
    })
  // Boundary: the members that these handlers read.
  const call = { deps, requestId: randomUUID(), caller: { clientId: 'test' } } as never
  const insert = { name: 'unrecorded', roles: ['auditor' as const] }
  const silent = route(({ change }) => change((tx) => insertClient(tx, service.id, insert, deps.clock.now())))
  await expect(silent.handle(call)).rejects.toThrow('must be recorded in the audit')
  const idle = route(async () => 'done')
  await expect(idle.handle(call)).rejects.toThrow('succeeded without an audit record')
  const failing = route(({ change }) =>
    change(async (tx, record) => {
      await insertClient(tx, service.id, insert, deps.clock.now())
      record(randomUUID(), {}) // a deleted tenant
    }),
  )
  await expect(failing.handle(call)).rejects.toThrow('Resource Not Found')
  const clients = await listClients(deps.db.read, service.id, { limit: 1000 })
  expect(clients.filter(({ name }) => name === 'unrecorded')).toEqual([])
})

test('the audit is read with the events, newest first, with its position in the chain', async () => {
  const tenant = await service.addTenant()
  const { body: client } = await tenant.operator.post(`/v1/tenants/${tenant.id}/clients`, {
    name: 'Auditor',
    roles: ['auditor'],
  })
  const rows = await auditOf(tenant.id)
  const row = rows.at(-1)!
  const auditor = await tenant.as('auditor')
  const [newest, ...older] = (await auditor.get('/v1/events?categories=AUDIT')).body.data
  expect(newest).toMatchObject({ type: 'TENANT_CLIENT_CREATE_AUDIT', metadata: { number: 4 } }) // the creation of the reader's client
  expect(older[0]).toStrictEqual({
    id: row.id,
    tenantId: tenant.id,
    type: 'TENANT_CLIENT_CREATE_AUDIT',
    category: 'AUDIT',
    timestamp: row.timestamp.toISOString(),
    requestId: row.requestId,
    clientId: tenant.clientId,
    metadata: { number: 3, previousHash: rows.at(-2)!.hash, hash: row.hash },
    data: { tenantId: tenant.id, id: client.clientId, roles: ['auditor'] },
  })
  const search = async (query: string) => (await auditor.get(`/v1/events?${query}`)).body.data.map(({ id }: Row) => id)
  expect(await search(`ids=${row.id}`)).toEqual([row.id])
  expect(await search(`categories=AUDIT&requestIds=${row.requestId}`)).toEqual([row.id])
  expect(await search('types=KEY_CREATE_AUDIT')).toEqual([rows[1]!.id])
  expect(await search(`categories=AUDIT&clientIds=${randomUUID()}`)).toEqual([])
  expect(await search(`ids=${row.id}&categories=TENANTS`)).toEqual([])
  expect(await search(`ids=${row.id}&managementUserIds=ana`)).toEqual([])
  expect(await search(`ids=${row.id}&dateTo=2026-01-01`)).toEqual([])
  expect((await service.operator.get(`/v1/events?ids=${row.id}`)).body.data).toEqual([])
})

interface Row {
  id: string
  timestamp: string
}

test('pages of any size contain each event and each audit row once, in order', async () => {
  const tenant: TestTenant = await service.addTenant()
  for (let i = 0; i < 4; i++) await tenant.as('auditor')
  const audit = await auditOf(tenant.id)
  const events = audit.flatMap(({ timestamp }, at) =>
    Array.from({ length: at % 3 }, () => ({
      ...{ id: randomUUID(), requestId: randomUUID(), tenantId: tenant.id, type: 'TEST', category: 'TEST', data: {} },
      timestamp: timestamp.toISOString(),
    })),
  )
  await service.deps.db.tx((tx) => insertEvents(tx, events))
  const ids = [...audit, ...events].map(({ id }) => id).sort()
  const types = [...new Set(audit.map(({ type }) => type)), 'TEST'].join()
  for (const limit of [1, 2, 3, 100]) {
    const pages = await pagesOf<Row>(tenant.operator, `/v1/events?types=${types}&limit=${limit}`)
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
    const seen = pages.flat()
    expect(seen.map(({ id }) => id).sort()).toEqual(ids)
    expect(seen.map(({ timestamp }) => timestamp)).toEqual(
      seen
        .map(({ timestamp }) => timestamp)
        .sort()
        .reverse(),
    )
  }
})

test('a merged page ends where one of its sources was not read to the end', () => {
  const row = (ms: number) => ({ at: new Date(ms), id: String(ms) })
  const merge = (a: number[], b: number[], next?: number) =>
    mergeWalks({ rows: a.map(row), ...(next && { next: row(next) }) }, { rows: b.map(row) }, 3, (each) => each)
  expect(merge([], [9, 5, 2], 5)).toEqual({ rows: [9, 5].map(row), next: row(5) })
  expect(merge([8], [7, 6, 1], 4)).toEqual({ rows: [8, 7, 6].map(row), next: row(4) })
  expect(merge([8, 3], [7, 6])).toEqual({ rows: [8, 7, 6].map(row), next: row(6) })
  expect(merge([8], [7])).toEqual({ rows: [8, 7].map(row) })
})
