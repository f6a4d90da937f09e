import { verify, X509Certificate } from 'node:crypto'
import { decode, encode } from 'cbor2'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTrustedList } from '../../../db/repos/ecosystems/trusted-lists.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { ecosystemPolicies } from '../../../db/tables/ecosystems/policies.ts'
import { trustedLists } from '../../../db/tables/ecosystems/trusted-lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { publishTrustedList } from '../../../workers/signing/trusted-lists/publish-trusted-list.ts'
import { derOf, newCertificate, pemOf } from '../../certificates/certificates.ts'
import { crlOf, ecosystemCas, newEcosystemCa } from '../../certificates/hierarchy.ts'
import { createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { signingDeps } from '../../harness/published.ts'
import { parseTrustedList, readTrustedList } from '../../harness/trusted-list.ts'
import { openssl, verifyStrictly } from '../../verifiers/openssl.ts'
import { newEcosystem, newListed, newType, bytesAt as readBytes } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const mdl = 'org.iso.18013.5.1.mDL'
const ricalProvider = 'Aotearoa'
const bytesAt = (tenant: TestTenant, path: string, headers?: Record<string, string>) =>
  readBytes(service, tenant, path, headers)

/** An ecosystem that can publish RICALs once it has a verifier. */
async function newPublisher() {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const ca = await newEcosystemCa(tenant)
  const ricals = `${path}/ricals`
  await tenant.operator.put(`${ricals}/configuration`, { ricalProvider })
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: mdl })
  const publish = () => tenant.operator.post(ricals)
  return { tenant, path, ca, ricals, credentialId, publish, latest: `${ricals}/public/latest` }
}

type Cbor = Map<unknown, unknown>
// From a Buffer, cbor2 would make Buffers. It writes Buffers as maps.
const read = <Value>(bytes: Uint8Array) => decode<Value>(new Uint8Array(bytes), { preferMap: true })

test('an independent reader reads a RICAL and verifies it with its chain, which does not contain the root', async () => {
  const { tenant, path, ca, ricals, credentialId, publish, latest } = await newPublisher()
  const [reader, issuer] = await Promise.all(['Reader', 'Issuer'].map((name) => newCertificate({ name, ca: true })))
  await newListed(tenant, path, 'verifier', { name: 'Bar', credentialId, holds: [reader!] })
  await newListed(tenant, path, 'issuer', { credentialId, holds: [issuer!] })
  const { status, body } = await publish()
  expect([status, body]).toEqual([201, { ricalIssueID: 1, date: expect.any(String) }])

  const { bytes } = await bytesAt(tenant, latest)
  expect(bytes[0]).toBe(0x84)
  const [protectedBytes, unprotectedHeader, payload, signature] =
    read<[Uint8Array, Cbor, Uint8Array, Uint8Array]>(bytes)
  const header = read<Cbor>(protectedBytes)
  expect([[...header.keys()], header.get(1), unprotectedHeader.size]).toEqual([[1, 33], -7, 0])
  // A chain of one certificate is a byte string. It is not the root.
  const signer = new X509Certificate(header.get(33) as Uint8Array)
  const signed = encode(['Signature1', new Uint8Array(protectedBytes), new Uint8Array(), new Uint8Array(payload)])
  expect(verify('sha256', signed, { key: signer.publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
  const crl = await crlOf(service, tenant, ca.id, ecosystemCas)
  expect(await verifyStrictly({ leaf: signer.toString(), root: ca.certificatePem, crl })).toBe('leaf.pem: OK\n')
  const text = await openssl(['x509', '-noout', '-text', '-in', 'leaf.pem'], { 'leaf.pem': signer.toString() })
  expect(text).toMatch(/Key Usage: critical\s+Non Repudiation\n/)
  expect(text).toContain('Certificate Policies')
  expect(text).not.toContain('Extended Key Usage')

  const content = read<Cbor>(payload)
  const date = new Date(Math.floor(Date.parse(body.date) / 1000) * 1000)
  expect(Object.fromEntries(content)).toEqual({
    ...{ version: '1.0', provider: ricalProvider, date, nextUpdate: new Date(date.getTime() + 90 * 24 * 3_600_000) },
    ...{ id: 1, type: 'org.iso.18013.5.1.reader_authentication', certificateInfos: [expect.any(Map)] },
  })
  const [entry] = content.get('certificateInfos') as Cbor[]
  expect([...entry!.keys()]).toEqual(
    'certificate,serialNumber,ski,name,stateOrProvinceName,issuer,subject,notBefore,notAfter'.split(','),
  )
  expect(Buffer.from(entry!.get('certificate') as Uint8Array).equals(derOf(reader!))).toBe(true)
  expect(entry!.get('name')).toBe('Bar')
  const roots = [new X509Certificate(ca.certificatePem)]
  expect(readTrustedList(bytes, { kind: 'rical', roots, at: service.clock.now() })).toMatchObject({ number: 1 })
  expect((await bytesAt(tenant, `${ricals}/public/1`)).bytes.equals(bytes)).toBe(true)
})

test('RICALs are public, as files in both media types, with gzip, ranges and ETags', async () => {
  const { tenant, path, ricals, credentialId, publish, latest } = await newPublisher()
  await newListed(tenant, path, 'verifier', { credentialId })
  const { date } = (await publish()).body
  const filename = `rical-${date.slice(0, 10)}-${new Date(date).getTime()}.cbor`
  expect((await tenant.anonymous.get(`${ricals}/public`)).body.data).toEqual([
    { ricalIssueID: 1, date, filename, isAutoPublished: false },
  ])
  const whole = await bytesAt(tenant, latest)
  expect(whole.headers).toMatchObject({
    'content-type': 'application/cbor',
    'content-disposition': `attachment; filename="${filename}"`,
  })
  const condition = { 'if-none-match': String(whole.headers.etag) }
  expect(await bytesAt(tenant, latest, condition)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
  expect((await bytesAt(tenant, latest, { accept: 'application/cwt' })).headers['content-type']).toBe('application/cwt')
  expect((await bytesAt(tenant, latest, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
  expect(await bytesAt(tenant, latest, { range: 'bytes=0-0' })).toMatchObject({ status: 206, bytes: Buffer.of(0x84) })
  const otherTenant = await service.addTenant()
  expect(await bytesAt(otherTenant, latest)).toMatchObject({ status: 404 })
  expect(await otherTenant.operator.delete(`${ricals}/1`)).toMatchObject({ status: 404 })
  // Each kind of list has its own numbers and paths.
  expect(await bytesAt(tenant, `${path}/vicals/public/latest`)).toMatchObject({ status: 404 })
})

test('the process that published or deleted a RICAL answers with the change at once', async () => {
  const { tenant, path, ca, ricals, credentialId, publish, latest } = await newPublisher()
  await newListed(tenant, path, 'verifier', { credentialId })
  const roots = [new X509Certificate(ca.certificatePem)]
  const number = async () => {
    const { bytes } = await bytesAt(tenant, latest)
    return readTrustedList(bytes, { kind: 'rical', roots, at: service.clock.now() }).number
  }
  for (let published = 1; published <= 3; published++) {
    expect(await publish()).toMatchObject({ status: 201 })
    expect(await number()).toBe(published)
  }
  expect(await tenant.operator.delete(`${ricals}/3`)).toMatchObject({ status: 204 })
  expect(await number()).toBe(2)
  expect(await bytesAt(tenant, `${ricals}/public/3`)).toMatchObject({ status: 404 })
})

test('a RICAL needs at least one certificate and no duplicate key, and the refusal names the cause', async () => {
  const { tenant, path, ricals, credentialId, publish } = await newPublisher()
  const refused = (status: number, text: string) => ({ status, body: { message: expect.stringContaining(text) } })
  expect(await publish()).toMatchObject(refused(400, 'needs at least one certificate'))
  const reader = await newCertificate({ name: 'Reader', ca: true })
  const again = await newCertificate({ name: 'Renewed', ca: true, keys: reader.keys })
  const one = await newListed(tenant, path, 'verifier', { name: 'One', credentialId, holds: [reader] })
  await newListed(tenant, path, 'verifier', { name: 'Two', credentialId, holds: [again] })
  expect(await publish()).toMatchObject(refused(409, 'one of "One" and one of "Two"'))
  expect((await tenant.anonymous.get(`${ricals}/public`)).body.data).toEqual([])
  expect(await service.deps.db.read.$count(trustedLists, eq(trustedLists.tenantId, tenant.id))).toBe(0)
  const identifiers = { mobile: [{ certificatePem: pemOf(again) }] }
  await tenant.operator.put(one, { name: 'One', isVerifier: true, identifiers })
  expect(await publish()).toMatchObject({ status: 201, body: { ricalIssueID: 1 } })
})

test('a RICAL is published and deleted together with a verifier policy of the same certificates', async () => {
  const { tenant, path, ricals, credentialId, publish, latest } = await newPublisher()
  const policies = `${path}/verifier-policies`
  const readers = await Promise.all(['One', 'Two', 'Three'].map((name) => newCertificate({ name, ca: true })))
  const [one, two, three] = readers.map((each) => [each])
  const first = await newListed(tenant, path, 'verifier', { name: 'Bar', credentialId, holds: one! })
  await newListed(tenant, path, 'verifier', { name: 'Shop', credentialId, holds: [...one!, ...two!] })
  const listed = async (which: string) =>
    parseTrustedList((await bytesAt(tenant, `${ricals}/public/${which}`)).bytes, 'rical').entries.map(
      ({ fingerprint }) => fingerprint,
    )
  const policy = async (which: string) => (await tenant.anonymous.get(`${policies}/public/${which}`)).body
  const inPolicy = ({ participants }: Policy) => [
    ...new Set(participants.flatMap((each) => each.verifierCertificates.map((held) => held.certificateFingerprint))),
  ]

  expect(await publish()).toMatchObject({ status: 201 })
  const before = await policy('latest')
  expect(before.participants).toMatchObject([{ id: first.split('/').at(-1), name: 'Bar' }, { name: 'Shop' }])
  expect(before.participants[1].verifierCertificates).toMatchObject([{ docTypes: [mdl] }, { docTypes: [mdl] }])
  await newListed(tenant, path, 'verifier', { name: 'Third', credentialId, holds: three! })
  await publish()
  const after = await policy('latest')
  expect(inPolicy(before)).toEqual(await listed('1'))
  expect(inPolicy(after)).toEqual(await listed('2'))
  expect(inPolicy(after)).toHaveLength(3)

  // Deletes only the policy. The RICAL stays.
  await publish()
  const alone = await policy('latest')
  expect(await tenant.operator.delete(`${policies}/${alone.id}`)).toMatchObject({ status: 204 })
  expect(await policy('latest')).toEqual(after)
  expect(await bytesAt(tenant, `${ricals}/public/3`)).toMatchObject({ status: 200 })
  expect(await tenant.operator.delete(`${ricals}/3`)).toMatchObject({ status: 204 })
  expect(await tenant.operator.delete(`${ricals}/2`)).toMatchObject({ status: 204 })
  expect(await policy('latest')).toEqual(before)
  expect(await tenant.anonymous.get(`${policies}/public/${after.id}`)).toMatchObject({ status: 404 })
  await expect.poll(async () => (await listed('latest')).length).toBe(2)
  // A policy that was published by itself stays.
  const { body: own } = await tenant.operator.post(policies)
  await tenant.operator.delete(`${ricals}/1`)
  expect(await policy('latest')).toEqual(own)
  expect((await publish()).body).toMatchObject({ ricalIssueID: 4 })
  expect(await bytesAt(tenant, latest)).toMatchObject({ status: 200 })
})

test('20 concurrent RICALs have 20 numbers, each with its policy in the same order', async () => {
  const { tenant, path, ricals, credentialId, publish } = await newPublisher()
  await newListed(tenant, path, 'verifier', { credentialId })
  const answers = await Promise.all(Array.from({ length: 20 }, publish))
  const numbers = answers.map(({ body }) => body.ricalIssueID).toSorted((one, other) => one - other)
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  const { read } = service.deps.db
  const published = await read.select().from(ecosystemPolicies).where(eq(ecosystemPolicies.tenantId, tenant.id))
  const lists = await read.select().from(trustedLists).where(eq(trustedLists.tenantId, tenant.id))
  const numberOf = new Map(lists.map(({ id, number }) => [id, number]))
  const inOrder = published.toSorted((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime())
  expect(inOrder.map(({ listId }) => numberOf.get(listId!))).toEqual(numbers)
  // Concurrent deletions and a publication: each deletion removes only its own policy.
  const [, ...deleted] = await Promise.all([
    publish(),
    ...[20, 19].map((each) => tenant.operator.delete(`${ricals}/${each}`)),
  ])
  expect(deleted.map(({ status }) => status)).toEqual([204, 204])
  const { body } = await tenant.anonymous.get(`${path}/verifier-policies/public/latest`)
  const [last] = await read.select().from(trustedLists).where(eq(trustedLists.id, body.id))
  expect(last).toMatchObject({ number: 21 })
  expect(await read.$count(ecosystemPolicies, eq(ecosystemPolicies.tenantId, tenant.id))).toBe(19)
})

test('a signing process that crashes before or after its commit leaves list and policy or neither', async () => {
  const { tenant, path, ricals, credentialId, publish } = await newPublisher()
  await newListed(tenant, path, 'verifier', { credentialId })
  await publish()
  const [, , , ecosystemId = ''] = path.split('/')
  const { db } = service.deps
  const row = { id: newId(), tenantId: tenant.id, ecosystemId, kind: 'rical', isAutoPublished: false } as const
  await db.tx((tx) => insertTrustedList(tx, { ...row, createdAt: service.clock.now() }))
  const ref = { tenantId: tenant.id, listId: row.id }
  const dying = (tx: typeof db.tx) => publishTrustedList(signingDeps(service, { db: { ...db, tx } }), ref)
  const die = () => {
    throw new Error('killed')
  }
  const counted = async () => [
    (await tenant.anonymous.get(`${ricals}/public`)).body.data.length,
    await db.read.$count(ecosystemPolicies, eq(ecosystemPolicies.tenantId, tenant.id)),
  ]
  await expect(dying((work) => db.tx((tx) => work(tx).then(die)))).rejects.toThrow('killed')
  expect(await counted()).toEqual([1, 1])
  await expect(dying((work) => db.tx(work).then(die))).rejects.toThrow('killed')
  expect(await counted()).toEqual([2, 2])
  await publishTrustedList(signingDeps(service), ref)
  expect(await counted()).toEqual([2, 2])
})

// On SQLite no other writer runs at the same time.
test('the ecosystem cannot change while a list is built', { tags: 'postgres' }, async () => {
  const { tenant, path, credentialId, publish } = await newPublisher()
  await newListed(tenant, path, 'verifier', { credentialId })
  // The first publication creates the signer in a separate transaction.
  await publish()
  const [, , , ecosystemId = ''] = path.split('/')
  const { db } = service.deps
  const row = { id: newId(), tenantId: tenant.id, ecosystemId, kind: 'rical', isAutoPublished: false } as const
  await db.tx((tx) => insertTrustedList(tx, { ...row, createdAt: service.clock.now() }))
  const other = new pg.Pool({ connectionString: service.deps.config.databaseUrl })
  const mine = 'select id from ecosystems where id = $1 for no key update skip locked'
  const free = async () => (await other.query(mine, [ecosystemId])).rows
  const changeable: number[] = [(await free()).length]
  const tx: typeof db.tx = (work) =>
    db.tx(async (inside) => {
      const result = await work(inside)
      changeable.push((await free()).length)
      return result
    })
  await publishTrustedList(signingDeps(service, { db: { ...db, tx } }), { tenantId: tenant.id, listId: row.id })
  changeable.push((await free()).length)
  await other.end()
  expect(changeable).toEqual([1, 0, 1])
})

/** Extends `newPublisher` for a test that moves the clock by months. Tokens of operators are valid for a day. */
async function newRetained() {
  const publisher = await newPublisher()
  const { tenant, path, ricals, credentialId } = publisher
  const { origin, clock, deps } = service
  const start = clock.now()
  const notAfter = plusMs(start, 365 * 24 * 3_600_000)
  await newListed(tenant, path, 'verifier', {
    credentialId,
    holds: [await newCertificate({ name: 'Reader', ca: true, notAfter })],
  })
  return {
    ...publisher,
    async operator() {
      const { host, clientId, clientSecret } = tenant
      return createApi(origin, host, await tokenOf(origin, host, clientId, clientSecret))
    },
    /** Moves the clock to noon of a day, counted from the first of the next month. */
    moveTo(day: number) {
      const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, day, 12)
      clock.advance(at - clock.now().getTime())
    },
    async purge() {
      const id = `now-${newId()}`
      await deps.bus.send('purgeExpired', {}, { id })
      await eventually(async () => (await deps.bus.queue('upkeep').getJob(id)) === undefined)
    },
    /** The numbers of the remaining lists. Each has its policy, and no other policy remains. */
    async left(): Promise<number[]> {
      const { data } = (await tenant.anonymous.get(`${ricals}/public`)).body
      const policies = await deps.db.read
        .select()
        .from(ecosystemPolicies)
        .where(eq(ecosystemPolicies.tenantId, tenant.id))
      const lists = await deps.db.read.select().from(trustedLists).where(eq(trustedLists.tenantId, tenant.id))
      expect(new Set(policies.map(({ listId }) => listId))).toEqual(new Set(lists.map(({ id }) => id)))
      return data.map(({ ricalIssueID }: { ricalIssueID: number }) => ricalIssueID)
    },
  }
}

test('the retention removes old RICALs with their policies, but never the latest', async () => {
  const { tenant, ricals, operator, moveTo, purge, left } = await newRetained()
  const configure = async (retention?: object) =>
    (await operator()).put(`${ricals}/configuration`, { ricalProvider, ...(retention && { retention }) })
  try {
    // Two in the first month, two in the second, three in the third.
    for (const day of [1, 2, 34, 35, 64, 65, 66]) {
      moveTo(day)
      expect(await (await operator()).post(ricals)).toMatchObject({ status: 201 })
    }
    moveTo(95)
    await purge()
    expect(await left()).toEqual([1, 2, 3, 4, 5, 6, 7])
    const retention = { keepLast: 2, keepMonthly: true }
    expect(await configure(retention)).toMatchObject({ status: 200, body: { ricalProvider, retention } })
    expect((await (await operator()).get(`${ricals}/configuration`)).body).toEqual({ ricalProvider, retention })
    expect(await configure({ keepLast: 0, keepMonthly: true })).toMatchObject({ status: 400 })
    await purge()
    // The next update of the others is still in the future.
    expect(await left()).toEqual([2, 3, 4, 5, 6, 7])
    await expect.poll(async () => (await bytesAt(tenant, `${ricals}/public/1`)).status).toBe(404)

    moveTo(200)
    await purge()
    expect(await left()).toEqual([2, 4, 6, 7])
    await configure({ keepLast: 3, keepMonthly: false })
    await purge()
    expect(await left()).toEqual([4, 6, 7])

    // A deleted list does not count. The latest list stays, whatever its number.
    expect(await (await operator()).delete(`${ricals}/7`)).toMatchObject({ status: 204 })
    await configure({ keepLast: 2, keepMonthly: false })
    await purge()
    expect(await left()).toEqual([4, 6])
    await configure({ keepLast: 1, keepMonthly: false })
    for (let run = 0; run < 2; run++) await purge()
    expect(await left()).toEqual([6])
    expect(await bytesAt(tenant, `${ricals}/public/latest`)).toMatchObject({ status: 200 })
    const types = ['ECOSYSTEM_RICAL_DELETE_AUDIT']
    const { rows } = await listAuditEvents(service.deps.db.read, tenant.id, { types }, 9)
    const byUpkeep = rows.filter(({ data }) => data.reason === 'retention')
    expect(byUpkeep.map(({ data }) => data.id).sort()).toEqual(['1', '2', '3', '4', '5'])
  } finally {
    service.clock.advance(Date.now() - service.clock.now().getTime())
  }
})

interface Policy {
  participants: { verifierCertificates: { certificateFingerprint: string }[] }[]
}
