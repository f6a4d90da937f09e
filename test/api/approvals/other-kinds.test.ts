import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorityRoutes } from '../../../api/certificates/authorities/routes.ts'
import { bulkRunRoutes } from '../../../api/issuance/bulk/run-routes.ts'
import { certificates } from '../../../db/tables/certificates/certificates.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { activeIaca, compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { platformClient } from '../../harness/platform-client.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newTenant(approvals: object) {
  const tenant = await service.addTenant()
  expect((await tenant.operator.put('/v1/settings', { approvals })).status).toBe(200)
  return { tenant, operator: tenant.operator, approver: await platformClient(service, tenant, 'approver') }
}

test('a bulk issuance with more valid rows stays ready until another client approves its start', async () => {
  const { tenant, operator, approver } = await newTenant({ bulkIssuances: 1 })
  const configurationId = await compactConfiguration(tenant)
  const upload = async (people: string) => {
    const file = csvFile(`number,given_name\n${people}`)
    return (await uploadTo(operator, '/v1/bulk-issuances', ['file', file], ...bulkFields(configurationId))).body.id
  }
  const stateOf = async (id: string) => (await operator.get(`/v1/bulk-issuances/${id}`)).body.state
  const ended = (id: string, state: string) => eventually(async () => (await stateOf(id)) === state)
  await ended(await upload('1,Ada\n'), 'done')

  const id = await upload('1,Ada\n2,Eve\n')
  await ended(id, 'ready')
  const answer = await operator.post(`/v1/bulk-issuances/${id}/start`, {})
  expect(answer).toMatchObject({
    status: 202,
    body: { approval: { kind: 'bulkIssuances', objects: 2, details: { bulkIssuanceId: id, valid: 2 } } },
  })
  expect(await stateOf(id)).toBe('ready')
  const approval = `/v1/approvals/${answer.body.approval.id}`
  expect((await approver.post(`${approval}/approve`, {})).body.state).toBe('executed')
  await ended(id, 'done')
  expect((await operator.get(approval)).body.answer).toMatchObject({ id, state: 'running' })
})

test('the deletion of an authority waits, and an operation that is refused leaves the request waiting', async () => {
  const { tenant, operator, approver } = await newTenant({ authorityDeletions: 0 })
  const { id: iacaId } = await activeIaca(tenant)
  const path = `/v2/credentials/mobile/iacas/${iacaId}`
  expect((await operator.delete(path)).status).toBe(409)
  await operator.put(path, { active: false })
  const answer = await operator.delete(path)
  expect(answer).toMatchObject({
    status: 202,
    body: { approval: { objects: 1, details: { kind: 'iaca', id: iacaId } } },
  })
  const approval = `/v1/approvals/${answer.body.approval.id}`
  await operator.put(path, { active: true })
  expect(await approver.post(`${approval}/approve`, {})).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('active') },
  })
  expect((await approver.get(approval)).body.state).toBe('waiting')
  await operator.put(path, { active: false })
  for (const list of ['mobile/document-signers', 'mobile/status-list-signers', 'sd-jwt/signers']) {
    for (const { id } of (await operator.get(`/v2/credentials/${list}`)).body.data) {
      await operator.put(`/v2/credentials/${list}/${id}`, { active: false })
      await operator.delete(`/v2/credentials/${list}/${id}`)
    }
  }
  expect((await approver.post(`${approval}/approve`, {})).body).toMatchObject({ state: 'executed' })
  expect((await operator.get(path)).status).toBe(404)
})

test('the deletion of an active authority that has expired waits', async () => {
  const { tenant, operator } = await newTenant({ authorityDeletions: 0 })
  const { id } = await activeIaca(tenant)
  const { db, clock } = service.deps
  const notAfter = plusMs(clock.now(), -hourMs)
  await db.tx((tx) => tx.update(certificates).set({ notAfter }).where(eq(certificates.id, id)))
  expect(await operator.delete(`/v2/credentials/mobile/iacas/${id}`)).toMatchObject({ status: 202 })
})

test('an object that gets ready for an operation after the check of a request stays as it is', async () => {
  const approvals = { bulkIssuances: 0, authorityDeletions: 0 }
  const { tenant, operator } = await newTenant(approvals)
  const file = csvFile('number,given_name\n1,Ada\n')
  const fields = bulkFields(await compactConfiguration(tenant))
  const { id } = (await uploadTo(operator, '/v1/bulk-issuances', ['file', file], ...fields)).body
  const bulk = async () => (await operator.get(`/v1/bulk-issuances/${id}`)).body
  await eventually(async () => (await bulk()).state === 'ready')
  const { id: iacaId } = await activeIaca(tenant)
  await operator.put(`/v2/credentials/mobile/iacas/${iacaId}`, { active: false })
  // These routes do not have the check, like requests whose check was earlier.
  for (const route of [...bulkRunRoutes, ...authorityRoutes]) {
    if (route.operation !== 'startBulkIssuance' && route.operation !== 'deleteIaca') continue
    const of = { deps: service.deps, tenant: { id: tenant.id, settings: { approvals } }, tenantId: tenant.id }
    const call = { ...of, requestId: randomUUID(), caller: { clientId: tenant.clientId }, params: { id, iacaId } }
    // Boundary: the members that these handlers read.
    await expect(route.handle(call as never)).rejects.toThrow('Another person must approve')
  }
  expect((await bulk()).state).toBe('ready')
  expect((await operator.get(`/v2/credentials/mobile/iacas/${iacaId}`)).status).toBe(200)
})
