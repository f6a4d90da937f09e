import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { statusBulks } from '../../../db/tables/status/bulks.ts'
import { hourMs } from '../../../shared/clock.ts'
import type { Api } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { platformClient } from '../../harness/platform-client.ts'
import { newCredentials } from '../../harness/revocable.ts'

const path = '/v2/credentials/revocation-status'
let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Returns a tenant in which changes of more than two credentials need an approval, and a second person. */
async function newTenant(
  settings: object = {},
): Promise<{ tenant: TestTenant; approver: Awaited<ReturnType<typeof platformClient>> }> {
  const tenant = await service.addTenant()
  const approvals = { statusChanges: 2, ...settings }
  expect(await tenant.operator.put('/v1/settings', { approvals })).toMatchObject({ status: 200, body: { approvals } })
  return { tenant, approver: await platformClient(service, tenant, 'approver') }
}

const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID())
const bulksOf = ({ id }: TestTenant) =>
  service.deps.db.read.select().from(statusBulks).where(eq(statusBulks.tenantId, id))

async function ask(operator: Api, credentials = idsOf(3)): Promise<string> {
  const answer = await operator.post(path, { credentials, isRevoked: true })
  expect(answer).toMatchObject({ status: 202, body: { approval: { state: 'waiting', objects: credentials.length } } })
  return answer.body.approval.id
}

const approve = (operator: Api, id: string) => operator.post(`/v1/approvals/${id}/approve`, {})

test('a tenant without the setting, and a change of few credentials, need no approval', async () => {
  const body = { credentials: idsOf(3), isRevoked: true }
  const { tenant } = await newTenant()
  for (const [operator, sent] of [
    [service.operator, body],
    [tenant.operator, { ...body, credentials: idsOf(2) }],
  ] as const) {
    const answer = await operator.post(path, sent)
    expect(answer).toMatchObject({ status: 202, body: { id: expect.any(String), accepted: sent.credentials.length } })
  }
})

test('the number is below the highest count of credentials, so that a larger change is above it', async () => {
  const { tenant } = await newTenant()
  const set = (statusChanges: number) => tenant.operator.put('/v1/settings', { approvals: { statusChanges } })
  expect(await set(1_000_000)).toMatchObject({ status: 400, body: { details: [{ param: 'approvals.statusChanges' }] } })
  expect((await tenant.operator.put('/v1/settings', { approvals: { statusChanges: 1 } })).status).toBe(200)
  // Fewer approvals need an approval.
  expect((await set(999_999)).status).toBe(202)
})

test('a change of more credentials waits, and is executed as it was sent when another client approves it', async () => {
  const { tenant, approver } = await newTenant()
  const credentials = idsOf(3)
  const answer = await tenant.operator.post(path, { credentials, isRevoked: true })
  expect(answer.body.approval).toMatchObject({
    ...{ kind: 'statusChanges', operation: 'setRevocationStatuses', isOwn: true, objects: 3 },
    askedBy: { clientId: tenant.clientId },
    details: { isRevoked: true, credentials: 3 },
  })
  const { id } = answer.body.approval
  expect(answer.body).toMatchObject({ id, accepted: 3 })
  expect(answer.headers.location).toBe(`/v1/approvals/${id}`)
  expect(await bulksOf(tenant)).toEqual([])
  expect(await approver.get('/v1/approvals?state=waiting')).toMatchObject({ body: { data: [{ id, isOwn: false }] } })

  expect(await approve(approver, id)).toMatchObject({
    status: 200,
    body: { state: 'executed', decidedBy: { clientId: approver.clientId } },
  })
  expect(await bulksOf(tenant)).toMatchObject([{ id, credentialIds: credentials, isRevoked: true }])
  const read = (await tenant.operator.get(`/v1/approvals/${id}`)).body
  expect(read).toMatchObject({ state: 'executed', answer: { id, accepted: 3 } })
  expect((await approver.get(`/v1/approvals/${id}`)).body).not.toHaveProperty('answer')
  const audit = await service.deps.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenant.id))
  const rowOf = (type: string) => audit.find((row) => row.type === type)
  expect(rowOf('APPROVAL_REQUEST_AUDIT')).toMatchObject({ clientId: tenant.clientId, data: { id } })
  expect(rowOf('CREDENTIAL_REVOCATION_STATUS_BULK_SET_AUDIT')).toMatchObject({
    clientId: tenant.clientId,
    data: { approvalId: id, approvedByClientId: approver.clientId },
  })
  expect(rowOf('APPROVAL_APPROVE_AUDIT')).toMatchObject({
    clientId: approver.clientId,
    data: { id, askedByClientId: tenant.clientId },
  })
})

test('a filter finds only credentials that were issued before the request', async () => {
  const { tenant, approver } = await newTenant()
  await newCredentials(service, tenant.id, { count: 3 })
  const before = service.clock.now()
  const answer = await tenant.operator.post(path, { filter: { issuedFrom: '2000-01-01' }, isRevoked: true })
  expect(answer.body.approval).toMatchObject({ objects: 3, details: { filter: { issuedTo: expect.any(String) } } })
  expect((await approve(approver, answer.body.approval.id)).status).toBe(200)
  const [bulk] = await bulksOf(tenant)
  expect(bulk?.filter?.issuedTo).toBeGreaterThanOrEqual(before.getTime())
})

test('neither the sender nor a client whose secret the sender knows can approve', async () => {
  const { tenant, approver } = await newTenant()
  const id = await ask(tenant.operator)
  const second = await tenant.as('admin')
  for (const operator of [tenant.operator, second, await tenant.as('approver')])
    expect(await approve(operator, id)).toMatchObject({ status: 409 })
  const ofSecond = await ask(second)
  expect((await approve(tenant.operator, ofSecond)).status).toBe(409)
  // A client that replaces the secret of the approver can act as the approver.
  const { clientId } = approver
  await tenant.operator.post(`/v1/tenants/${tenant.id}/clients/${clientId}/secret`, { overlapSeconds: 3600 })
  expect((await approve(approver, id)).status).toBe(409)
  expect((await approve(await platformClient(service, tenant, 'admin'), id)).status).toBe(200)
})

test('of ten approvals at once exactly one executes the request', async () => {
  const { tenant, approver } = await newTenant()
  const id = await ask(tenant.operator)
  const answers = await Promise.all(Array.from({ length: 10 }, () => approve(approver, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  expect(await bulksOf(tenant)).toHaveLength(1)
})

test('a rejected, an expired and an executed request cannot be approved', async () => {
  const { tenant, approver } = await newTenant({ expiresAfterHours: 2 })
  const rejected = await ask(tenant.operator)
  expect(await tenant.operator.post(`/v1/approvals/${rejected}/reject`, {})).toMatchObject({
    status: 200,
    body: { state: 'rejected', decidedBy: { clientId: tenant.clientId } },
  })
  expect((await approve(approver, rejected)).status).toBe(409)
  const expired = await ask(tenant.operator)
  service.clock.advance(2 * hourMs)
  const later = await platformClient(service, tenant, 'approver')
  expect((await later.get(`/v1/approvals/${expired}`)).body.state).toBe('expired')
  expect((await approve(later, expired)).status).toBe(409)
  expect((await later.post(`/v1/approvals/${expired}/reject`, {})).status).toBe(409)
  expect(await bulksOf(tenant)).toEqual([])
})

test('a repeated request gets the approval that waits, and its Idempotency-Key the same answer', async () => {
  const { tenant } = await newTenant()
  const body = { credentials: idsOf(3), isRevoked: true }
  const key = { 'idempotency-key': 'once' }
  const first = await tenant.operator.post(path, body, key)
  expect((await tenant.operator.post(path, body, key)).body).toEqual(first.body)
  expect((await tenant.operator.post(path, body)).body).toEqual(first.body)
  expect((await tenant.operator.get('/v1/approvals')).body.data).toHaveLength(1)
})

test('another tenant sees and decides nothing', async () => {
  const { tenant } = await newTenant()
  const { approver: foreign } = await newTenant()
  const id = await ask(tenant.operator)
  expect((await foreign.get(`/v1/approvals/${id}`)).status).toBe(404)
  expect((await approve(foreign, id)).status).toBe(404)
  expect((await foreign.get('/v1/approvals')).body.data).toEqual([])
})

test('the request of a client that was deleted or lost its role is not executed', async () => {
  const { tenant, approver } = await newTenant()
  const issuer = await platformClient(service, tenant, 'issuer')
  const id = await ask(issuer)
  const client = `/v1/tenants/${tenant.id}/clients/${issuer.clientId}`
  await tenant.operator.put(client, { name: 'Issuer', roles: ['verifier'] })
  expect(await approve(approver, id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('role') } })
  await tenant.operator.delete(client)
  expect(await approve(approver, id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('deleted') },
  })
  expect(await bulksOf(tenant)).toEqual([])
})

test('settings with which fewer requests need an approval need one themselves', async () => {
  const { tenant, approver } = await newTenant()
  expect((await tenant.operator.put('/v1/settings', { name: 'Other' })).body.approvals).toEqual({ statusChanges: 2 })
  expect((await tenant.operator.put('/v1/settings', { approvals: { statusChanges: 1 } })).status).toBe(200)
  await service.platform.put(`/v1/tenants/${tenant.id}`, {})
  const answer = await tenant.operator.put('/v1/settings', { approvals: null })
  expect(answer).toMatchObject({
    status: 202,
    body: { approval: { kind: 'settings', details: { before: { statusChanges: 1 } } } },
  })
  expect((await tenant.operator.get('/v1/settings')).body.approvals).toEqual({ statusChanges: 1 })
  expect((await approve(approver, answer.body.approval.id)).status).toBe(200)
  expect((await tenant.operator.get('/v1/settings')).body.approvals).toEqual({})
})
