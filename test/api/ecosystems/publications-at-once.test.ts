import { eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trustedLists } from '../../../db/tables/ecosystems/trusted-lists.ts'
import { newEcosystemCa } from '../../certificates/hierarchy.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newEcosystem } from './factories.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'], env: { CREDENTIAL_DEADLINE_MS: '30000' } })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Publishes a list of an ecosystem, which has been published once. */
async function newPublishing(tenant: TestTenant) {
  await newEcosystemCa(tenant)
  const path = await newEcosystem(tenant)
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Aotearoa' })
  const publish = () => tenant.operator.post(`${path}/vicals`)
  expect(await publish()).toMatchObject({ status: 201 })
  return publish
}

test('of what a tenant publishes at once one list at a time is before the signing process, so that another does not wait for all of it', async () => {
  const { db, bus } = service.deps
  const many = await newPublishing(await service.addTenant())
  const one = await newPublishing(await service.addTenant())
  await service.workers.stop()
  const answers = Promise.all([...Array.from({ length: 6 }, many), one()])
  const waiting = async () => (await bus.depths()).signing.waiting ?? 0
  await eventually(async () => (await db.read.$count(trustedLists, isNull(trustedLists.number))) === 7)
  await eventually(async () => (await waiting()) >= 2)
  for (let looks = 0; looks < 20; looks++) expect(await waiting()).toBe(2)
  await service.workers.start()
  expect((await answers).map(({ status }) => status)).toEqual(Array(7).fill(201))
})

test('who publishes in an ecosystem that is deleted meanwhile is told that it is not there', async () => {
  const { deps } = service
  const tenant = await service.addTenant()
  await newEcosystemCa(tenant)
  const path = await newEcosystem(tenant)
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Aotearoa' })
  const { keys } = deps
  const call: typeof keys.call = async (...asked) => {
    const answer = await keys.call(...asked)
    await tenant.operator.delete(path)
    // As the job does that takes away what was in it.
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
