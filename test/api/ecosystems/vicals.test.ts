import { X509Certificate } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTrustedListRow, insertTrustedList } from '../../../db/repos/ecosystems/trusted-lists.ts'
import { trustedLists } from '../../../db/tables/ecosystems/trusted-lists.ts'
import { newId } from '../../../shared/ids.ts'
import { publishTrustedList } from '../../../workers/signing/trusted-lists/publish-trusted-list.ts'
import { derOf, newCertificate, pemOf } from '../../certificates/certificates.ts'
import { ecosystemCas, newEcosystemCa } from '../../certificates/hierarchy.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { parseTrustedList, readTrustedList } from '../../harness/trusted-list.ts'
import { newEcosystem, newParticipant, newType, bytesAt as readBytes } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const mdl = 'org.iso.18013.5.1.mDL'
const vicalProvider = 'Aotearoa'

/** An ecosystem with a CA and a VICAL configuration. */
async function newPublisher() {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const { certificatePem } = await newEcosystemCa(tenant)
  const vicals = `${path}/vicals`
  await tenant.operator.put(`${vicals}/configuration`, { vicalProvider })
  const roots = [new X509Certificate(certificatePem)]
  const publish = () => tenant.operator.post(vicals)
  return { tenant, path, vicals, roots, publish, latest: `${vicals}/public/latest` }
}

const bytesAt = (tenant: TestTenant, path: string, headers?: Record<string, string>) =>
  readBytes(service, tenant, path, headers)

const detail = (text: string) => ({ status: 400, body: { message: expect.stringContaining(text) } })

test('the VICAL configuration is set, read and deleted', async () => {
  const tenant = await service.addTenant()
  const configuration = `${await newEcosystem(tenant)}/vicals/configuration`
  expect(await tenant.operator.get(configuration)).toMatchObject({ status: 404 })
  expect(await tenant.operator.delete(configuration)).toMatchObject({ status: 404 })
  expect(await tenant.operator.put(configuration, { vicalProvider })).toMatchObject({
    status: 200,
    body: { vicalProvider },
  })
  const autoPublish = { enabled: true, frequency: 'Daily' }
  const { body } = await tenant.operator.put(configuration, { vicalProvider, autoPublish })
  expect(body).toStrictEqual({ vicalProvider, autoPublish: { ...autoPublish, configuredAt: expect.any(String) } })
  service.clock.advance(1000)
  expect((await tenant.operator.put(configuration, { vicalProvider: 'Other', autoPublish })).body).toStrictEqual({
    ...body,
    vicalProvider: 'Other',
  })
  const consumer = await tenant.as('dts-consumer')
  expect(await consumer.get(configuration)).toMatchObject({ status: 200, body: { vicalProvider: 'Other' } })
  expect(await consumer.put(configuration, { vicalProvider })).toMatchObject({ status: 403 })
  const wrong = { vicalProvider, autoPublish: { enabled: true, frequency: 'Hourly' } }
  expect(await tenant.operator.put(configuration, wrong)).toMatchObject({ status: 400 })
  expect(await tenant.operator.delete(configuration)).toMatchObject({ status: 204 })
  expect(await tenant.operator.get(configuration)).toMatchObject({ status: 404 })
})

test('a publication without a configuration or an active CA is refused with the reason', async () => {
  const tenant = await service.addTenant()
  const vicals = `${await newEcosystem(tenant)}/vicals`
  expect(await tenant.operator.post(vicals)).toMatchObject(detail('no VICAL configuration'))
  await tenant.operator.put(`${vicals}/configuration`, { vicalProvider })
  expect(await tenant.operator.post(vicals)).toMatchObject(detail('no active ecosystem CA'))
  expect((await tenant.anonymous.get(`${vicals}/public`)).body.data).toEqual([])
  expect(await service.deps.db.read.$count(trustedLists, eq(trustedLists.tenantId, tenant.id))).toBe(0)
})

test('a VICAL contains each certificate of active issuers once, with its assigned types', async () => {
  const { tenant, path, publish, latest, roots } = await newPublisher()
  const at = service.clock.now()
  const authority = () => newCertificate({ name: 'Authority', ca: true })
  const over = await newCertificate({ name: 'Over', ca: true, notAfter: new Date(at.getTime() - 1000) })
  const [listed, shared, inactive, verifiers] = await Promise.all([authority(), authority(), authority(), authority()])
  const [cut, asleep, unassigned] = await Promise.all([authority(), authority(), authority()])
  const mobile = (...all: Awaited<ReturnType<typeof authority>>[]) =>
    all.map((each) => ({ certificatePem: pemOf(each) }))
  const type = (wanted: string) => newType(tenant, path, { profile: 'mobile', type: wanted })
  const [licence, photo, other] = [await type(mdl), await type('org.iso.23220.photoid.1'), await newType(tenant, path)]
  const issuer = async (body: object, ...types: string[]) => {
    const participant = await newParticipant(tenant, path, { isIssuer: true, ...body })
    for (const credentialId of types) await tenant.operator.post(`${participant}/issuer/credentials`, { credentialId })
    return `${participant}/issuer-certificates`
  }
  const certificates = await issuer({ identifiers: { mobile: mobile(listed, shared, over) } }, licence, other)
  const add = (each: typeof cut, docTypes: string[], active = true) =>
    tenant.operator.post(certificates, { certificatePem: pemOf(each), docTypes, active })
  await add(cut, ['org.iso.23220.photoid.1', mdl])
  await add(asleep, [mdl], false)
  await add(unassigned, ['org.iso.23220.photoid.1'])
  await issuer({ identifiers: { mobile: mobile(shared) } }, photo)
  await issuer({ identifiers: { mobile: [{ ...mobile(inactive)[0], status: 'Inactive' }] } }, licence)
  await issuer({ identifiers: { mobile: mobile(inactive) }, status: 'Inactive' }, licence)
  await issuer({ identifiers: { mobile: mobile(verifiers) }, isIssuer: false, isVerifier: true }, licence)
  await issuer({ identifiers: { mobile: mobile(inactive) } }, other)

  const { status, body } = await publish()
  expect([status, body]).toEqual([201, { vicalIssueID: 1, date: expect.any(String) }])
  const { bytes } = await bytesAt(tenant, latest)
  const list = readTrustedList(bytes, { kind: 'vical', roots, at })
  expect(list).toMatchObject({ provider: vicalProvider, number: 1, unreadable: [] })
  expect(list.nextUpdate!.getTime() - list.date.getTime()).toBe(90 * 24 * 3_600_000)
  expect(list.entries.map(({ der, docTypes }) => [der, docTypes])).toEqual([
    [derOf(listed), [mdl]],
    [derOf(shared), [mdl, 'org.iso.23220.photoid.1']],
    [derOf(cut), [mdl]],
  ])
})

test('the latest VICAL and each by number are public, as files in both media types, with gzip, ranges and ETags', async () => {
  const { tenant, vicals, publish, latest } = await newPublisher()
  expect(await bytesAt(tenant, latest)).toMatchObject({ status: 404 })
  const { date } = (await publish()).body
  const whole = await bytesAt(tenant, latest)
  const epochMs = new Date(date).getTime()
  expect(whole).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/cbor',
      'content-disposition': `attachment; filename="vical-${date.slice(0, 10)}-${epochMs}.cbor"`,
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60',
    },
  })
  // The list of VICALs is not cached, because a page reads it together with the latest one.
  const { headers } = await bytesAt(tenant, `${vicals}/public`)
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  const condition = { 'if-none-match': String(whole.headers.etag) }
  expect(await bytesAt(tenant, latest, condition)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
  const cwt = await bytesAt(tenant, latest, { accept: 'application/cwt' })
  expect([cwt.headers['content-type'], cwt.bytes.equals(whole.bytes)]).toEqual(['application/cwt', true])
  const packed = await bytesAt(tenant, latest, { 'accept-encoding': 'gzip' })
  expect([packed.headers['content-encoding'], gunzipSync(packed.bytes).equals(whole.bytes)]).toEqual(['gzip', true])
  const part = await bytesAt(tenant, latest, { range: 'bytes=1-4' })
  expect([part.status, part.bytes.equals(whole.bytes.subarray(1, 5))]).toEqual([206, true])
  expect((await bytesAt(tenant, `${vicals}/public/1`)).bytes.equals(whole.bytes)).toBe(true)
  for (const none of ['2', '0', 'x', '9'.repeat(9), '9'.repeat(15)]) {
    expect([400, 404]).toContain((await bytesAt(tenant, `${vicals}/public/${none}`)).status)
  }
  const otherTenant = await service.addTenant()
  expect(await bytesAt(otherTenant, latest)).toMatchObject({ status: 404 })
})

test('the process that published or deleted a VICAL answers with the change at once', async () => {
  const { tenant, vicals, publish, latest } = await newPublisher()
  const number = async () => numberOf(await bytesAt(tenant, latest))
  for (let published = 1; published <= 3; published++) {
    expect(await publish()).toMatchObject({ status: 201 })
    expect(await number()).toBe(published)
  }
  expect(await tenant.operator.delete(`${vicals}/3`)).toMatchObject({ status: 204 })
  expect(await number()).toBe(2)
  expect(await bytesAt(tenant, `${vicals}/public/3`)).toMatchObject({ status: 404 })
})

test('20 concurrent VICALs have 20 consecutive numbers, and a deleted number is not reused', async () => {
  const { tenant, vicals, publish, latest } = await newPublisher()
  const answers = await Promise.all(Array.from({ length: 20 }, publish))
  const numbers = answers.map(({ body }) => body.vicalIssueID).sort((one, other) => one - other)
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  const listed = async () => {
    const { data } = (await tenant.anonymous.get(`${vicals}/public?limit=100`)).body
    return data.map(({ vicalIssueID }: { vicalIssueID: number }) => vicalIssueID)
  }
  expect((await listed()).toSorted((one: number, other: number) => one - other)).toEqual(numbers)

  const otherTenant = await service.addTenant()
  expect(await otherTenant.operator.delete(`${vicals}/20`)).toMatchObject({ status: 404 })
  expect(await tenant.operator.delete(`${vicals}/20`)).toMatchObject({ status: 204 })
  expect(await tenant.operator.delete(`${vicals}/20`)).toMatchObject({ status: 404 })
  expect(await listed()).toHaveLength(19)
  await expect.poll(async () => numberOf(await bytesAt(tenant, latest))).toBe(19)
  await tenant.operator.delete(`${vicals}/configuration`)
  expect(await publish()).toMatchObject({ status: 400 })
  await tenant.operator.put(`${vicals}/configuration`, { vicalProvider })
  expect(await publish()).toMatchObject({ body: { vicalIssueID: 21 } })
})

test('a requested list is published once, even with concurrent jobs, and a cancelled list is not published', async () => {
  const { tenant, path, vicals, publish } = await newPublisher()
  const [, , , ecosystemId = ''] = path.split('/')
  const deps = signingDeps(service)
  const row = { id: newId(), tenantId: tenant.id, ecosystemId, kind: 'vical', isAutoPublished: false } as const
  await service.deps.db.tx((tx) => insertTrustedList(tx, { ...row, createdAt: service.clock.now() }))
  const ref = { tenantId: tenant.id, listId: row.id }
  await Promise.all(Array.from({ length: 3 }, () => publishTrustedList(deps, ref)))
  expect(await findTrustedListRow(service.deps.db.read, tenant.id, row.id)).toMatchObject({ number: 1 })
  await publishTrustedList(deps, { ...ref, listId: newId() })
  expect(await publish()).toMatchObject({ body: { vicalIssueID: 2 } })
  expect((await tenant.anonymous.get(`${vicals}/public`)).body.data).toHaveLength(2)
})

test('a signing process that crashes before or after its commit leaves the whole list or nothing, and the retry completes it', async () => {
  const { tenant, path, vicals, publish } = await newPublisher()
  await publish()
  const [, , , ecosystemId = ''] = path.split('/')
  const { db } = service.deps
  const row = { id: newId(), tenantId: tenant.id, ecosystemId, kind: 'vical', isAutoPublished: false } as const
  await db.tx((tx) => insertTrustedList(tx, { ...row, createdAt: service.clock.now() }))
  const ref = { tenantId: tenant.id, listId: row.id }
  const dying = (tx: typeof db.tx) => publishTrustedList(signingDeps(service, { db: { ...db, tx } }), ref)
  const die = () => {
    throw new Error('killed')
  }
  const numbers = async () =>
    (await tenant.anonymous.get(`${vicals}/public`)).body.data.map((each: Record<string, unknown>) => each.vicalIssueID)
  await expect(dying((work) => db.tx((tx) => work(tx).then(die)))).rejects.toThrow('killed')
  expect(await numbers()).toEqual([1])
  await expect(dying((work) => db.tx(work).then(die))).rejects.toThrow('killed')
  expect(await numbers()).toEqual([1, 2])
  await publishTrustedList(signingDeps(service), ref)
  expect(await numbers()).toEqual([1, 2])
  expect(await publish()).toMatchObject({ body: { vicalIssueID: 3 } })
})

test('an inactive CA signs no more lists', async () => {
  const { tenant, vicals, publish } = await newPublisher()
  await publish()
  const { data } = (await tenant.operator.get(ecosystemCas)).body
  await tenant.operator.put(`${ecosystemCas}/${data[0].id}`, { active: false })
  await expect.poll(async () => (await publish()).status).toBe(400)
  expect((await tenant.anonymous.get(`${vicals}/public`)).body.data).toHaveLength(1)
})

test('the deletion of an ecosystem deletes its lists', async () => {
  const { tenant, path, publish, latest } = await newPublisher()
  await publish()
  await tenant.operator.delete(path)
  await expect.poll(async () => (await bytesAt(tenant, latest)).status).toBe(404)
})

function numberOf({ bytes }: { bytes: Buffer }): number | undefined {
  return parseTrustedList(bytes, 'vical').number
}
