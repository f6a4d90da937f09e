import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dependentsOf } from '../../../db/retention/table-rules.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { ecosystemIntegrations, integratedCertificates } from '../../../db/tables/ecosystems/integrations.ts'
import { certificateFromPem, fingerprintOf, subjectOf } from '../../../shared/formats/certificate.ts'
import { type Certified, newCertificate, pemOf } from '../../certificates/certificates.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { runNow } from '../../harness/run-now.ts'
import { mdl, newForeignSigner, ricalOf, startPublisher } from '../../servers/foreign-lists.ts'
import { newEcosystem, newParticipant, newType } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const list = (url: string, more: object = {}) => ({ format: 'VICAL', url, ...more })
const detailsOf = (param: string) => ({ status: 400, body: { details: [{ param, location: 'body' }] } })

test('an ecosystem is created, changed, listed and deleted, and then answers 404', async () => {
  const { operator } = await service.addTenant()
  const made = await operator.post('/v1/ecosystems', { name: ' Travel ' })
  const { id } = made.body
  expect(made).toMatchObject({ status: 201, body: { id, name: 'Travel', integrations: [] } })
  const path = `/v1/ecosystems/${id}`
  expect(await operator.put(path, { name: 'Trade' })).toMatchObject({ status: 200, body: { name: 'Trade' } })
  expect((await operator.get(path)).body).toStrictEqual({ id, name: 'Trade', integrations: [] })
  expect((await operator.get('/v1/ecosystems')).body).toStrictEqual({ data: [{ id, name: 'Trade', integrations: [] }] })
  for (const name of ['', 'x'.repeat(51), 7, undefined]) {
    expect(await operator.post('/v1/ecosystems', { name })).toMatchObject(detailsOf('name'))
    expect(await operator.put(path, { name })).toMatchObject(detailsOf('name'))
  }
  expect(await operator.delete(path)).toMatchObject({ status: 204 })
  for (const gone of [path, `${path}/credentials`, `${path}/participants`, `${path}/preview`]) {
    expect(await operator.get(gone)).toMatchObject({ status: 404, body: { details: [{ param: 'ecosystemId' }] } })
  }
})

test('integrations keep the result of their last fetch while the operator lists them', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const trustAnchors = [pemOf(await newCertificate({ name: 'Root', ca: true }))]
  const one = list('https://lists.example/vical?format=cbor', { trustAnchors })
  const two = list('https://other.example/vical', { enabled: false })
  const made = await operator.post('/v1/ecosystems', { name: 'Travel', integrations: [one, two] })
  expect(made.body.integrations).toStrictEqual([{ ...one, enabled: true }, two])
  const path = `/v1/ecosystems/${made.body.id}`

  // The result that the job writes after a fetch.
  const result = { success: true, lastSyncedAt: '2026-11-22T10:00:00.000Z', lastModifiedAt: '2026-11-21T10:00:00.000Z' }
  await service.deps.db.tx((tx) =>
    tx.update(ecosystemIntegrations).set({ result }).where(eq(ecosystemIntegrations.url, one.url)),
  )
  const first = { ...one, enabled: true, integrationResult: result }
  expect((await operator.put(`${path}?partial=true`, { name: 'Trade' })).body.integrations).toStrictEqual([first, two])
  const turned = [two, { ...one, enabled: false }]
  expect((await operator.put(path, { name: 'Trade', integrations: turned })).body.integrations).toStrictEqual([
    two,
    { ...first, enabled: false },
  ])
  const { body } = await operator.put(path, { name: 'Trade', integrations: [two] })
  expect(body.integrations).toStrictEqual([two])
  expect((await operator.get('/v1/ecosystems')).body.data[0].integrations).toStrictEqual([two])
})

test('an integration with an invalid URL, format or trust anchor, or a duplicate, is refused with the name of the field', async () => {
  const { operator } = await service.addTenant()
  const integration = (more: object) => operator.post('/v1/ecosystems', { name: 'Travel', integrations: [more] })
  for (const url of ['http://lists.example', 'https://10.0.0.1/vical', 'https://user@lists.example', 'lists', 7]) {
    expect(await integration(list(url as string))).toMatchObject(detailsOf('integrations.0.url'))
  }
  expect(await integration({ format: 'PDF', url: 'https://lists.example' })).toMatchObject(
    detailsOf('integrations.0.format'),
  )
  const [root, leaf] = [await newCertificate({ name: 'Root', ca: true }), await newCertificate({ name: 'Leaf' })]
  for (const wrong of ['x', pemOf(leaf)]) {
    expect(await integration(list('https://lists.example', { trustAnchors: [pemOf(root), wrong] }))).toMatchObject(
      detailsOf('integrations.0.trustAnchors.1'),
    )
  }
  const twice = [list('https://lists.example/'), list('https://lists.example/')]
  expect(await operator.post('/v1/ecosystems', { name: 'Travel', integrations: twice })).toMatchObject(
    detailsOf('integrations.1.url'),
  )
  expect((await operator.get('/v1/ecosystems')).body.data).toEqual([])
})

test('a list on this machine is refused unless the service allows loopback', async () => {
  await using strict = await startService({ env: { OUTBOUND_ALLOW_LOOPBACK: '0' } })
  const integrations = [list('http://127.0.0.1:8080/vical')]
  expect(await strict.operator.post('/v1/ecosystems', { name: 'Travel', integrations })).toMatchObject(
    detailsOf('integrations.0.url'),
  )
  const path = await newEcosystem(strict)
  expect(await strict.operator.put(path, { name: 'Travel', integrations })).toMatchObject(
    detailsOf('integrations.0.url'),
  )
})

test('an ecosystem has each type once, even with concurrent requests', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const licence = { profile: 'mobile', type: 'org.iso.18013.5.1.mDL', name: 'Licence' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => tenant.operator.post(`${path}/credentials`, licence)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  const { data } = (await tenant.operator.get(`${path}/credentials`)).body
  expect(data).toEqual([{ id: expect.any(String), ecosystemId: path.split('/').at(-1), ...licence }])
  expect((await tenant.operator.get(`${path}/credentials/${data[0].id}`)).body).toStrictEqual(data[0])
  // The same type in another profile or ecosystem is another type.
  await newType(tenant, path, { ...licence, profile: 'compact' })
  await newType(tenant, await newEcosystem(tenant), licence)
  expect(await tenant.operator.post(`${path}/credentials`, { ...licence, profile: 'paper' })).toMatchObject(
    detailsOf('profile'),
  )
})

test('an ecosystem cannot exceed its limits of types and participants, even with concurrent requests', async () => {
  const tenant = await service.addTenant({ limits: { ecosystemCredentialTypes: 2, participants: 2 } })
  const path = await newEcosystem(tenant)
  const another = await newEcosystem(tenant)
  const all = await Promise.all(
    Array.from({ length: 5 }, async (_, at) => [
      (await tenant.operator.post(`${path}/credentials`, { profile: 'compact', type: `T${at}`, name: 'T' })).status,
      (await tenant.operator.post(`${path}/participants`, { name: 'P' })).status,
    ]),
  )
  for (const kind of [0, 1]) expect(all.map((each) => each[kind]).sort()).toEqual([201, 201, 409, 409, 409])
  await newType(tenant, another)
  await newParticipant(tenant, another)
})

async function rowsIn(tenant: TestTenant): Promise<number> {
  const counts = dependentsOf(ecosystems).map(({ table, tenant: of }) =>
    service.deps.db.read.$count(table, eq(of, tenant.id)),
  )
  return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0)
}

test('the deletion of an ecosystem deletes its contents and no other ecosystem', async () => {
  const tenant = await service.addTenant()
  const fill = async () => {
    const path = await newEcosystem(tenant, { integrations: [list('https://lists.example/vical')] })
    const credentialId = await newType(tenant, path)
    const participant = await newParticipant(tenant, path, { identifiers: { compact: 'did:web:a.example' } })
    await tenant.operator.post(`${participant}/issuer/credentials`, { credentialId })
    await tenant.operator.post(`${path}/policies`)
    return path
  }
  const kept = await fill()
  const each = await rowsIn(tenant)
  expect(each).toBeGreaterThanOrEqual(6)
  const gone = await fill()
  expect(await rowsIn(tenant)).toBe(2 * each)
  expect(await tenant.operator.delete(gone)).toMatchObject({ status: 204 })
  expect(await tenant.anonymous.get(`${gone}/policies/public/latest`)).toMatchObject({ status: 404 })
  await eventually(async () => (await rowsIn(tenant)) === each)
  expect(await tenant.operator.get(`${kept}/participants`)).toMatchObject({ body: { data: [{}] } })
  expect(await tenant.anonymous.get(`${kept}/policies/public/latest`)).toMatchObject({ status: 200 })
})

test('rows that are added during the deletion of an ecosystem do not stay', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const [deleted, ...others] = await Promise.all([
    tenant.operator.delete(path),
    ...Array.from({ length: 6 }, () => tenant.operator.post(`${path}/participants`, { name: 'P' })),
    tenant.operator.post(`${path}/policies`),
  ])
  expect(deleted).toMatchObject({ status: 204 })
  for (const { status } of others) expect([201, 404]).toContain(status)
  await eventually(async () => (await rowsIn(tenant)) === 0)
})

test('an ecosystem of another tenant is not found by any request', async () => {
  const [tenant, neighbour] = [await service.addTenant(), await service.addTenant()]
  const path = await newEcosystem(tenant)
  const credentialId = await newType(tenant, path)
  await newParticipant(tenant, path, {
    isIssuer: true,
    isIssuerConstrained: false,
    identifiers: { compact: 'did:web:a.example' },
  })
  for (const answer of [
    await neighbour.operator.get(path),
    await neighbour.operator.put(path, { name: 'Mine' }),
    await neighbour.operator.delete(path),
    await neighbour.operator.get(`${path}/credentials/${credentialId}`),
    await neighbour.operator.post(`${path}/participants`, { name: 'P' }),
    await neighbour.operator.post(`${path}/policies`),
    await neighbour.operator.get(`${path}/preview`),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { details: [{ param: 'ecosystemId', location: 'params' }] } })
  }
  expect((await tenant.operator.get(path)).status).toBe(200)
  const validation = { profile: 'compact', identifier: 'did:web:a.example', type: 'Licence' }
  expect((await tenant.operator.post('/v1/ecosystems/issuer-validation', validation)).body.validated).toBe(true)
  expect((await neighbour.operator.post('/v1/ecosystems/issuer-validation', validation)).body).toStrictEqual({
    validated: false,
    identifier: validation.identifier,
  })
  const missing = `/v1/ecosystems/${randomUUID()}`
  expect(await tenant.operator.delete(missing)).toMatchObject({ status: 404 })
})

test('the readers of a foreign RICAL are stored and compared, but trusted in no decision', async () => {
  const { operator, id } = await service.addTenant()
  const [one, two] = await Promise.all(['1', '2'].map((name) => newCertificate({ name, ca: true })))
  const { leaf, root } = await newForeignSigner({ extensions: [] })
  await using publisher = await startPublisher({ body: await ricalOf(leaf, [one!]) })
  const integration = { format: 'RICAL', url: publisher.url, trustAnchors: [pemOf(root)] }
  const path = await newEcosystem({ operator }, { integrations: [integration] })
  await newType({ operator }, path, { profile: 'mobile', type: mdl })
  const fetched = async (count: number) => {
    await operator.post('/v1/ecosystems/sync')
    await runNow(service.deps.bus, 'queueDueIntegrations', 'integrations')
    return eventually(async () => {
      const { integrationResult: result } = (await operator.get(path)).body.integrations[0]
      return result?.certificatesCount === count && result
    })
  }
  expect(await fetched(1)).toMatchObject({ success: true, changes: { added: 1, removed: 0 } })
  publisher.published = { body: await ricalOf(leaf, [one!, two!]) }
  service.clock.advance(61_000)
  expect(await fetched(2)).toMatchObject({ success: true, changes: { added: 1, removed: 0 } })

  // Even if a row names types, which lists of readers do not.
  const ofTenant = eq(integratedCertificates.tenantId, id)
  await service.deps.db.tx((tx) =>
    tx
      .update(integratedCertificates)
      .set({ docTypes: [mdl] })
      .where(ofTenant),
  )
  const validation = { profile: 'mobile', identifier: pemOf(one!), type: mdl }
  for (const role of ['issuer', 'verifier'])
    expect((await operator.post(`/v1/ecosystems/${role}-validation`, validation)).body.validated).toBe(false)
  // The same URL with another format is another list, without a result yet.
  const { body } = await operator.put(path, { name: 'Other', integrations: [{ ...integration, format: 'VICAL' }] })
  expect(body.integrations[0]).not.toHaveProperty('integrationResult')
})

interface Shown {
  certificateFingerprint: string | undefined
}

test('certificates of foreign lists are read in pages, and those of a RICAL are never trusted', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const [authority, ...readers] = await Promise.all(
    ['Authority', 'Reader 1', 'Reader 2'].map((name) => newCertificate({ name, ca: true })),
  )
  const signer = await newForeignSigner()
  const ofReaders = await newForeignSigner({ extensions: [] })
  await using vicals = await startPublisher({ body: await signer.vical([authority!]) })
  await using ricals = await startPublisher({ body: await ricalOf(ofReaders.leaf, readers) })
  const rical = { format: 'RICAL', url: ricals.url, trustAnchors: [pemOf(ofReaders.root)] }
  const path = await newEcosystem(tenant, { integrations: [list(vicals.url), rical] })
  await newType(tenant, path, { profile: 'mobile', type: mdl })
  const certificates = `${path}/integrations/certificates`
  expect(await operator.get(certificates)).toMatchObject({ status: 200, body: { data: [] } })
  await runNow(service.deps.bus, 'queueDueIntegrations', 'integrations')
  const read = async (query = '') => (await operator.get(`${certificates}${query}`)).body.data
  await eventually(async () => (await read()).length === 3)

  const viewOf = (certified: Certified, more: object) => ({
    ...more,
    certificatePem: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    certificateFingerprint: fingerprintOf(pemOf(certified)),
    certificateData: {
      notBefore: expect.any(String),
      notAfter: expect.any(String),
      ...subjectOf(certificateFromPem(pemOf(certified))),
    },
  })
  const byFingerprint = (a: Shown, b: Shown) => a.certificateFingerprint!.localeCompare(b.certificateFingerprint!)
  const ofRical = readers.map((each) => viewOf(each, { format: 'RICAL', url: ricals.url })).sort(byFingerprint)
  const ofVical = [viewOf(authority!, { format: 'VICAL', url: vicals.url, docTypes: [mdl] })]
  expect(await read('?format=RICAL')).toStrictEqual(ofRical)
  expect(await read('?integration=0')).toStrictEqual(ofVical)
  expect(await read('?format=VICAL&integration=1')).toEqual([])
  for (const { certificatePem, certificateFingerprint } of await read())
    expect(fingerprintOf(certificatePem)).toBe(certificateFingerprint)

  const pages = await pagesOf(operator, `${certificates}?limit=1`)
  for (const page of pages) expect(page).toHaveLength(1)
  const paged = pages.flat()
  expect(paged).toStrictEqual(await read())
  // The certificates of one list follow those of the other.
  expect([ofVical.concat(ofRical), ofRical.concat(ofVical)]).toContainEqual(paged)

  // The cursor of another operation is not valid here.
  const other = Buffer.from(JSON.stringify([0, randomUUID()])).toString('base64url')
  for (const [param, value] of [
    ['cursor', other],
    ['cursor', 'x'],
    ['format', 'PDF'],
    ['integration', '10'],
    ['limit', '0'],
  ])
    expect(await operator.get(`${certificates}?${param}=${value}`)).toMatchObject({
      status: 400,
      body: { details: [{ param, location: 'query' }] },
    })

  const isTrusted = async (role: string, certified: Certified) => {
    const validation = { profile: 'mobile', identifier: pemOf(certified), type: mdl }
    return (await operator.post(`/v1/ecosystems/${role}-validation`, validation)).body.validated
  }
  expect(await isTrusted('issuer', authority!)).toBe(true)
  for (const role of ['issuer', 'verifier']) expect(await isTrusted(role, readers[0]!)).toBe(false)

  await operator.put(path, { name: 'Travel', integrations: [list(vicals.url)] })
  expect(await read()).toStrictEqual(ofVical)
})
