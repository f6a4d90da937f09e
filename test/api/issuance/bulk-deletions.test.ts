import { eq, like, or } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedCredentials } from '../../../db/tables/credentials/signed-credentials.ts'
import { bulkFileChunks, bulkIssuances, bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { outbox } from '../../../db/tables/outbox.ts'
import { createValidateBulk } from '../../../workers/upkeep/bulk/validate-bulk.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

const path = '/v1/bulk-issuances'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** With `isStopped`, the workers are stopped before the upload. */
async function newBulk(count: number, isStopped = false) {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await compactConfiguration(tenant)
  if (isStopped) await service.workers.stop()
  const lines = Array.from({ length: count }, (_, at) => `${at},Ada`)
  const file = csvFile(`number,given_name\n${lines.join('\n')}\n`)
  const { id } = (await uploadTo(operator, path, ['file', file], ...bulkFields(configurationId))).body
  const get = async () => (await operator.get(`${path}/${id}`)).body
  return { tenant, operator, configurationId, id: String(id), get }
}

const waiting = (id: string) => service.deps.db.read.$count(outbox, or(eq(outbox.id, id), like(outbox.id, `${id}-%`)))

test('a tenant that is deleted while its rows are issued leaves nothing', async () => {
  const { tenant, id, get } = await newBulk(6_000)
  await eventually(async () => (await get()).done > 0)
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  const { read } = service.deps.db
  await eventually(async () => {
    const tables = [bulkIssuances, bulkFileChunks, bulkRows, signedCredentials]
    const counts = await Promise.all(tables.map((table) => read.$count(table, eq(table.tenantId, tenant.id))))
    return counts.every((count) => count === 0) && (await waiting(id)) === 0
  })
})

test('a tenant that is deleted while its file is validated leaves nothing', async () => {
  const { tenant, id } = await newBulk(5_000, true)
  const validate = createValidateBulk(service.deps, 0)
  await expect(validate({ tenantId: tenant.id, bulkId: id })).rejects.toThrow('postponed')
  expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
  await service.workers.start()
  const { read } = service.deps.db
  await eventually(async () => {
    const tables = [bulkIssuances, bulkFileChunks, bulkRows]
    const counts = await Promise.all(tables.map((table) => read.$count(table, eq(table.tenantId, tenant.id))))
    return counts.every((count) => count === 0) && (await waiting(id)) === 0
  })
  // A time slice that was interrupted stores nothing more.
  await validate({ tenantId: tenant.id, bulkId: id })
  expect(await read.$count(bulkRows, eq(bulkRows.tenantId, tenant.id))).toBe(0)
})

test('a configuration that is deleted while rows are issued pauses the bulk issuance, and its results stay', async () => {
  const { tenant, operator, configurationId, id, get } = await newBulk(4_000)
  await eventually(async () => (await get()).done > 0)
  const url = `/v2/credentials/compact/configurations/${configurationId}`
  expect(await operator.delete(url)).toMatchObject({ status: 204 })
  const paused = await eventually(async () => {
    const bulk = await get()
    return bulk.state === 'paused' && bulk
  })
  expect(paused.failure).toMatchObject({ code: 'unknown_configuration' })
  const issued = await service.deps.db.read.$count(signedCredentials, eq(signedCredentials.tenantId, tenant.id))
  expect(paused.done).toBe(issued)
  const results = await operator.get(`${path}/${id}/results`, { accept: 'text/csv' })
  expect(String(results.body).trim().split('\r\n')).toHaveLength(1 + issued)
  expect(await operator.post(`${path}/${id}/cancel`)).toMatchObject({ status: 200 })
  const left = () => service.deps.db.read.select().from(bulkRows).where(eq(bulkRows.tenantId, tenant.id))
  await eventually(async () => (await left()).every(({ sealedClaims }) => sealedClaims === null))
})
