import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedCredentials } from '../../../db/tables/credentials/signed-credentials.ts'
import { storedCredentials, storedCredentialTypes } from '../../../db/tables/credentials/stored-credentials.ts'
import { statusEntries } from '../../../db/tables/status/entries.ts'
import { statusLists } from '../../../db/tables/status/lists.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { payloads, sign, signed } from '../../harness/signing.ts'
import { fetchDidDocument, isValidInList, verifyJsonLd } from '../../verifiers/outside-verifiers.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v2/credentials/web-semantic'
const profiles = ['compact', 'compact-semantic', 'web-semantic'] as const
const kept = (tenant: TestTenant, extra: object = {}, payload: object = {}) =>
  signed(tenant, 'web-semantic', { payload: { ...payloads['web-semantic'], ...payload }, persist: true, ...extra })

async function idsOf(tenant: TestTenant, query: string, limit = 100): Promise<string[]> {
  const pages = await pagesOf<{ id: string }>(tenant.operator, `${path}?limit=${limit}&${query}`)
  return pages.flat().map(({ id }) => id)
}

/** Collects a credential with a wallet by OpenID4VCI. */
async function collect(tenant: TestTenant, configurationId: string) {
  const { uri, userId } = await newOffer(tenant, [configurationId])
  const { body } = await (await newWallet(tenant, service.origin, uri)).collect()
  const records = await tenant.operator.get(`/v1/users/${userId}/credentials`)
  return { userId, id: records.body.data[0].id as string, credential: body.credentials[0].credential }
}

test('a credential is stored only if its request says so', async () => {
  const tenant = await service.addTenant()
  const { id, ...answer } = await kept(tenant, { tag: 'spring', revocable: true })
  const other = await signed(tenant, 'web-semantic', { tag: 'spring' })
  const { status, body } = await tenant.operator.get(`${path}/${id}`)
  expect([status, body]).toEqual([200, { id, ...answer }])
  expect((await tenant.operator.get(path)).body).toEqual({ data: [{ id, ...answer }] })
  expect(await tenant.operator.get(`${path}/${other.id}`)).toMatchObject({ status: 404 })
  expect(await service.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect(await idsOf(service, '')).not.toContain(id)
})

test('stored credentials are listed in pages by creation time, tag and type', async () => {
  const tenant = await service.addTenant()
  const made: { id: string; tag: string; types: string[] }[] = []
  for (let count = 0; count < 6; count++) {
    const [tag, types] = [count % 2 ? 'odd' : 'even', ['Course', count % 3 ? 'Others' : 'Third']]
    made.push({ id: (await kept(tenant, { tag }, { type: types })).id, tag, types })
  }
  const idsWhere = (which: (each: (typeof made)[number]) => boolean) => made.filter(which).map(({ id }) => id)
  for (const limit of [1, 2, 100]) {
    expect(await idsOf(tenant, '', limit)).toEqual(idsWhere(() => true))
    expect(await idsOf(tenant, 'tag=odd', limit)).toEqual(idsWhere(({ tag }) => tag === 'odd'))
    expect(await idsOf(tenant, 'type=Course', limit)).toEqual(idsWhere(() => true))
    expect(await idsOf(tenant, 'type=Third', limit)).toEqual(idsWhere(({ types }) => types.includes('Third')))
    const both = ({ tag, types }: (typeof made)[number]) => tag === 'odd' && types.includes('Others')
    expect(await idsOf(tenant, 'type=Others&tag=odd', limit)).toEqual(idsWhere(both))
  }
  expect(await idsOf(tenant, 'type=VerifiableCredential')).toHaveLength(6)
  expect(await idsOf(tenant, 'type=None')).toEqual([])
  for (const wrong of ['tag=a&tag=b', 'type=%00', 'limit=0']) {
    expect(await tenant.operator.get(`${path}?${wrong}`)).toMatchObject({ status: 400 })
  }
})

describe('a configuration with persist', () => {
  test('stores its credentials until their user is erased', async () => {
    const tenant = await service.addTenant()
    const { id, userId, credential } = await collect(tenant, await webConfiguration(tenant, { persist: true }))
    const plain = await collect(tenant, await webConfiguration(tenant))
    expect((await tenant.operator.get(`${path}/${id}`)).body).toMatchObject({ id, credential })
    expect(await idsOf(tenant, 'type=CourseCertificate')).toEqual([id])
    expect(await tenant.operator.get(`${path}/${plain.id}`)).toMatchObject({ status: 404 })
    expect(await tenant.operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
    expect(await tenant.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
    const { read } = service.deps.db
    for (const table of [storedCredentials, storedCredentialTypes])
      expect(await read.$count(table, eq(table.tenantId, tenant.id))).toBe(0)
  })

  test('and deletes a stored credential with revocation', async () => {
    const configurationId = await webConfiguration(service, { persist: true, revocable: true })
    const { id, credential } = await collect(service, configurationId)
    expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
    expect(await service.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
    await eventually(async () => !(await isValid(credential)))
  })
})

async function isValid({ credentialStatus }: { credentialStatus: never }): Promise<boolean> {
  const { revocationListCredential: url } = credentialStatus as { revocationListCredential: string }
  const list = await (await fetch(url)).json()
  return isValidInList(credentialStatus, list, await fetchDidDocument(service.anonymous))
}

describe.each(profiles)('a deleted %s credential', (profile) => {
  test('is unknown, and its status entry stays revoked', async () => {
    const { id } = await signed(service, profile, { revocable: true })
    const [entry] = await entriesOf(id)
    for (const other of [...profiles, 'mobile'].filter((each) => each !== profile)) {
      expect(await service.operator.delete(`/v2/credentials/${other}/${id}`)).toMatchObject({ status: 404 })
    }
    expect(await service.operator.delete(`/v2/credentials/${profile}/${id}`)).toMatchObject({ status: 204 })
    expect(await service.operator.delete(`/v2/credentials/${profile}/${id}`)).toMatchObject({ status: 404 })
    const status = await service.operator.get(`/v2/credentials/${profile}/${id}/revocation-status`)
    expect(status).toMatchObject({ status: 404, body: { details: [{ msg: 'Resource Not Found' }] } })
    expect(await statusEntryOf(entry!)).toMatchObject({ credentialId: null, status: 'invalid' })
  })

  test('without a status entry is unknown', async () => {
    const { id } = await signed(service, profile)
    expect(await service.operator.delete(`/v2/credentials/${profile}/${id}`)).toMatchObject({ status: 204 })
    const { read } = service.deps.db
    expect(await read.$count(signedCredentials, eq(signedCredentials.id, id))).toBe(0)
  })
})

test('a collected credential is deleted in the same way', async () => {
  const { id, userId } = await collect(service, await compactConfiguration(service, { revocable: true }))
  const [entry] = await entriesOf(id)
  expect(await service.operator.delete(`/v2/credentials/compact/${id}`)).toMatchObject({ status: 204 })
  expect((await service.operator.get(`/v1/users/${userId}/credentials`)).body.data).toEqual([])
  expect(await statusEntryOf(entry!)).toMatchObject({ credentialId: null, status: 'invalid' })
  expect(await service.operator.delete(`/v2/credentials/compact/${randomUUID()}`)).toMatchObject({ status: 404 })
})

test('a deleted credential ends revoked, even if a concurrent request takes the revocation back', async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, () => signed(service, 'compact', { revocable: true, isRevoked: true })),
  )
  for (const [round, { id }] of made.entries()) {
    const [entry] = await entriesOf(id)
    const of = `/v2/credentials/compact/${id}`
    const deletion = service.operator.delete(of)
    for (let tick = 0; tick < round % 10; tick++) await setImmediate()
    const setting = [1, 2, 3].map(() => service.operator.post(`${of}/revocation-status`, { isRevoked: false }))
    expect(await deletion).toMatchObject({ status: 204 })
    for (const { status } of await Promise.all(setting)) expect([200, 404]).toContain(status)
    expect(await statusEntryOf(entry!)).toMatchObject({ credentialId: null, status: 'invalid' })
  }
})

type Entry = typeof statusEntries.$inferSelect

function entriesOf(credentialId: string): Promise<Entry[]> {
  return service.deps.db.read.select().from(statusEntries).where(eq(statusEntries.credentialId, credentialId))
}

async function statusEntryOf({ listId, position }: Entry): Promise<Entry | undefined> {
  const of = and(eq(statusEntries.listId, listId), eq(statusEntries.position, position))
  const [entry] = await service.deps.db.read.select().from(statusEntries).where(of)
  return entry
}

test('the DID of a list signs the list and cannot be deleted while the list exists', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const { body: made } = await operator.post('/v1/dids', { method: 'key' })
  const document = made.localMetadata.initialDidDocument
  const { id, credential, credentialStatus } = await kept(
    tenant,
    { revocable: true },
    { issuer: { id: made.did, name: 'Faculty' } },
  )
  expect(await verifyJsonLd(credential, document)).toBe(true)
  const listPath = new URL(credentialStatus.revocationListCredential).pathname
  const list = async () => (await tenant.anonymous.get(listPath)).body
  expect((await list()).issuer).toBe(made.did)
  expect(await isValidInList(credentialStatus, await list(), document)).toBe(true)
  await operator.post(`${path}/${id}/revocation-status`, { isRevoked: true })
  await eventually(async () => !(await isValidInList(credentialStatus, await list(), document)))

  const own = await kept(tenant, { revocable: true })
  expect(own.credentialStatus.revocationListCredential).not.toBe(credentialStatus.revocationListCredential)
  const { body: web } = await operator.post('/v1/dids', { method: 'web', options: { url: 'lists.example.org' } })
  await signed(tenant, 'compact', { payload: { ...payloads.compact, iss: web.did }, revocable: true })
  const { body } = await tenant.anonymous.get('/v2/credentials/compact/revocation-lists')
  expect(body[0].data.map(({ issuer }: { issuer: string }) => issuer)).toEqual([web.did])
  for (const { did } of [made, web]) {
    expect(await operator.delete(`/v1/dids/${did}`)).toMatchObject({ status: 409, body: { code: 'Conflict' } })
    expect(await operator.get(`/v1/dids/${did}`)).toMatchObject({ status: 200 })
  }
})

test('the deletion of a DID and a concurrent signing that opens its first list cannot both succeed', async () => {
  const tenant = await service.addTenant()
  for (let round = 0; round < 15; round++) {
    const { did } = (await tenant.operator.post('/v1/dids', { method: 'key' })).body
    const payload = { ...payloads['web-semantic'], issuer: { id: did } }
    const signing = sign(tenant, 'web-semantic', { payload, revocable: true })
    for (let tick = 0; tick < round * 5; tick++) await setImmediate()
    const deletion = await tenant.operator.delete(`/v1/dids/${did}`)
    const answer = await signing
    const { read } = service.deps.db
    const isThere = (await tenant.operator.get(`/v1/dids/${did}`)).status === 200
    const lists = await read.$count(statusLists, and(eq(statusLists.tenantId, tenant.id), eq(statusLists.series, did)))
    expect([[200], [400, 'payload.issuer.id']]).toContainEqual([
      answer.status,
      ...(answer.body.details ?? []).map(({ param }: { param: string }) => param),
    ])
    expect([deletion.status, isThere, lists]).toEqual(answer.status === 200 ? [409, true, 1] : [204, false, 0])
  }
})

test('no event contains content of credentials', async () => {
  const tenant = await service.addTenant()
  const canary = `canary${randomUUID()}`
  const payload = { type: ['Course'], credentialSubject: { secret: canary }, name: canary }
  await signed(tenant, 'web-semantic', { payload, persist: true, tag: canary })
  await tenant.operator.post(`${path}/sign`, { payload: { ...payload, proof: canary, issuanceDate: canary } })
  await tenant.operator.post('/v2/credentials/compact/sign', { payload: { jti: canary, [canary]: null, nbf: canary } })
  await tenant.operator.get(`${path}?tag=${canary}`)
  const events = await eventually(async () => {
    const { body } = await tenant.operator.get('/v1/events')
    const types = new Set(body.data.map(({ type }: { type: string }) => type))
    const eventTypes = [
      'CREDENTIAL_WEB_SEMANTIC_SIGN_SUCCESS',
      'CREDENTIAL_WEB_SEMANTIC_SIGN_FAIL',
      'CREDENTIAL_COMPACT_SIGN_FAIL',
    ]
    return (
      eventTypes.every((each) => types.has(each)) && types.has('CREDENTIAL_WEB_SEMANTIC_RETRIEVE_LIST_SUCCESS') && body
    )
  })
  expect(JSON.stringify(events)).not.toContain(canary)
})
