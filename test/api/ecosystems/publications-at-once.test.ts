import { eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trustedLists } from '../../../db/tables/ecosystems/trusted-lists.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import { waitingRequests } from '../../harness/admission.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newEcosystem } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'], env: { CREDENTIAL_DEADLINE_MS: '30000' } })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Makes an ecosystem, publishes a list once, and returns a function that publishes another. */
async function newPublishing(tenant: TestTenant) {
  await newEcosystemCa(tenant)
  const path = await newEcosystem(tenant)
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Aotearoa' })
  const publish = () => tenant.operator.post(`${path}/vicals`)
  expect(await publish()).toMatchObject({ status: 201 })
  return publish
}

test('concurrent publications of a tenant are signed one at a time, so that other tenants do not wait for all of them', async () => {
  const { db, bus } = service.deps
  const many = await newPublishing(await service.addTenant())
  const one = await newPublishing(await service.addTenant())
  await service.workers.stop()
  const answers = Promise.all([...Array.from({ length: 6 }, many), one()])
  const waiting = async () => (await bus.depths()).signing.waiting ?? 0
  await eventually(async () => (await db.read.$count(trustedLists, isNull(trustedLists.number))) === 7)
  await eventually(async () => (await waiting()) >= 2)
  for (let check = 0; check < 20; check++) expect(await waiting()).toBe(2)
  await service.workers.start()
  expect((await answers).map(({ status }) => status)).toEqual(Array(7).fill(201))
})

test('a tenant is answered while publications of two tenants wait', async () => {
  const { db } = service.deps
  const publishers = [await newPublishing(await service.addTenant()), await newPublishing(await service.addTenant())]
  const third = await service.addTenant()
  await service.workers.stop()
  // One of each tenant waits for the signing process, and the others for that one: as many as the slots of the tenant.
  const answers = Promise.all(publishers.flatMap((publish) => Array.from({ length: 17 }, publish)))
  await eventually(async () => (await db.read.$count(trustedLists, isNull(trustedLists.number))) === 34)
  let answered: number | undefined
  const answer = third.operator.get('/v1/ecosystems').then(({ status }) => {
    answered = status
  })
  await eventually(async () => answered !== undefined || (await waitingRequests()) > 0)
  expect(answered).toBe(200)
  await service.workers.start()
  await answer
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([201]))
})

test('a publication in an ecosystem that was deleted meanwhile answers 404', async () => {
  const { deps } = service
  const tenant = await service.addTenant()
  await newEcosystemCa(tenant)
  const path = await newEcosystem(tenant)
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Aotearoa' })
  const { keys } = deps
  const call: typeof keys.call = async (...parameters) => {
    const answer = await keys.call(...parameters)
    await tenant.operator.delete(path)
    // The job deletes the contents of the ecosystem in this way.
    await deps.db.tx((tx) => tx.delete(trustedLists).where(eq(trustedLists.tenantId, tenant.id)))
    return answer
  }
  deps.keys = { ...keys, call }
  try {
    expect(await tenant.operator.post(`${path}/vicals`)).toMatchObject({ status: 404 })
  } finally {
    deps.keys = keys
  }
})
