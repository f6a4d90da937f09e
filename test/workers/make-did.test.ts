import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findIncompleteCertificates, insertCertificate } from '../../db/repos/certificates/certificates.ts'
import { cancelDid } from '../../db/repos/identifiers/cancel-did.ts'
import { findIncompleteDids, insertDid } from '../../db/repos/identifiers/dids.ts'
import { dids } from '../../db/tables/identifiers/dids.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { tenants } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { makeDid } from '../../workers/signing/make-did.ts'
import { cancelDids } from '../../workers/upkeep/cancel-dids.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { pagesOf } from '../harness/pages.ts'
import { signingDeps } from '../harness/published.ts'

let service: Service
beforeEach(async () => {
  // Only the test looks for incomplete rows.
  service = await startService({ roles: ['signing'] })
})
afterEach(() => service[Symbol.asyncDispose]())

const keysOfDids = () => service.deps.db.read.select().from(keys).where(eq(keys.ownerKind, 'did'))
const rows = () => service.deps.db.read.select().from(dids)
const waiting = (createdAt: Date) => ({ id: newId(), tenantId: service.id, method: 'key' as const, createdAt })

test('a DID that is requested several times is created once, and a deleted row leaves no key', async () => {
  const row = waiting(service.clock.now())
  await service.deps.db.tx((tx) => insertDid(tx, row))
  expect((await service.operator.get('/v1/dids')).body.data).toHaveLength(1)
  const ref = { tenantId: service.id, didId: row.id }
  await Promise.all([1, 2, 3, 4].map(() => makeDid(signingDeps(service), ref)))
  expect((await keysOfDids()).map(({ ownerId }) => ownerId)).toEqual([row.id, row.id])
  const [made] = await rows()
  await makeDid(signingDeps(service), ref)
  expect(await rows()).toEqual([made])
  await makeDid(signingDeps(service), { tenantId: service.id, didId: newId() })
  expect(await keysOfDids()).toHaveLength(2)
})

test('a DID that is not created within a minute is removed, and created DIDs stay', async () => {
  const [young, old] = [waiting(service.clock.now()), waiting(plusMs(service.clock.now(), -120_000))]
  await service.deps.db.tx(async (tx) => {
    for (const row of [young, old]) await insertDid(tx, row)
  })
  const { body } = await service.operator.post('/v1/dids', { method: 'key' })
  service.clock.advance(30_000)
  await cancelDids(service.deps)
  expect((await rows()).map(({ id }) => id)).toContain(young.id)
  expect((await rows()).map(({ id }) => id)).not.toContain(old.id)
  service.clock.advance(120_000)
  await cancelDids(service.deps)
  expect((await rows()).map(({ did }) => did)).toEqual([body.did])
})

test('the job of an earlier version is run under its earlier name', async () => {
  await using own = await startService({ roles: ['signing', 'upkeep'] })
  const { db, bus, clock } = own.deps
  const row = { ...waiting(plusMs(clock.now(), -120_000)), tenantId: own.id }
  await db.tx((tx) => insertDid(tx, row))
  await bus.send('callOffDids', {})
  await eventually(async () => !(await db.read.select().from(dids)).some(({ id }) => id === row.id))
})

test('without an answer of the signing process nothing stays, and a late job does nothing', async () => {
  await service.workers.stop()
  const refused = await service.withSigningWait(100, () => service.operator.post('/v1/dids', { method: 'key' }))
  expect(refused).toMatchObject({ status: 503 })
  expect(await rows()).toEqual([])
  await service.workers.start()
  expect(await service.operator.post('/v1/dids', { method: 'key' })).toMatchObject({ status: 201 })
  expect(await rows()).toHaveLength(1)
  expect(await keysOfDids()).toHaveLength(2)
})

test('a created DID is not cancelled, and lists do not contain incomplete DIDs', async () => {
  await service.deps.db.tx((tx) => insertDid(tx, waiting(plusMs(service.clock.now(), -1_000))))
  const made: string[] = []
  for (const keyType of ['Ed25519', 'Bls12381G2']) {
    made.push((await service.operator.post('/v1/dids', { method: 'key', options: { keyType } })).body.did)
  }
  const listed = (await pagesOf<{ did: string }>(service.operator, '/v1/dids?limit=1')).flat()
  expect(listed.map(({ did }) => did)).toEqual([service.did, ...made])

  const { id } = (await rows()).find(({ did }) => did === made[0])!
  expect(await cancelDid(service.deps, service.id, id)).toBe(false)
  expect(await service.operator.get(`/v1/dids/${made[0]}`)).toMatchObject({ status: 200 })
})

test('incomplete rows of a tenant that is being deleted are removed with the tenant', async () => {
  const { db } = service.deps
  const createdAt = plusMs(service.clock.now(), -120_000)
  const certificate = {
    id: newId(),
    tenantId: service.id,
    kind: 'iaca',
    createdAt,
    subject: { country: 'NZ', commonName: 'Never made' },
  } as const
  await db.tx(async (tx) => {
    await insertDid(tx, waiting(createdAt))
    await insertCertificate(tx, { ...certificate, caId: null, isManaged: true, madeBy: 'operator', isActive: false })
  })
  const unmade = async () => [
    ...(await findIncompleteCertificates(db.read, service.clock.now(), 10)),
    ...(await findIncompleteDids(db.read, service.clock.now(), 10)),
  ]
  expect(await unmade()).toHaveLength(2)
  await db.tx((tx) => tx.update(tenants).set({ state: 'deleting' }).where(eq(tenants.id, service.id)))
  expect(await unmade()).toEqual([])
})
