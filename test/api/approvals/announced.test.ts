import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvals } from '../../../db/tables/operations/approvals.ts'
import { hourMs } from '../../../shared/clock.ts'
import { expireApprovals } from '../../../workers/upkeep/expire-approvals.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { platformClient } from '../../harness/platform-client.ts'
import { newWaitingApproval } from '../../harness/waiting-approval.ts'
import { startReceiver } from '../../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a webhook and the audit learn of each change of an approval, once', async () => {
  await using receiver = await startReceiver()
  const tenant = await service.addTenant()
  await tenant.operator.put('/v1/settings', { approvals: { statusChanges: 0, expiresAfterHours: 1 } })
  await tenant.operator.post('/v1/webhooks', { events: ['ApprovalChanged'], url: receiver.url })
  const ask = async () => {
    const body = { credentials: [randomUUID()], isRevoked: true }
    return (await tenant.operator.post('/v2/credentials/revocation-status', body)).body.approval.id
  }
  const statesOf = (id: string) =>
    receiver.deliveries
      .map(({ body }) => body.event)
      .filter(({ type, payload }) => type === 'ApprovalChanged' && payload.approvalId === id)
      .map(({ payload }) => payload.state)
      .sort()
  const ids: string[] = [await ask(), await ask(), await ask()]
  const [executed = '', rejected = '', expired = ''] = ids
  const approver = await platformClient(service, tenant, 'approver')
  await approver.post(`/v1/approvals/${executed}/approve`, {})
  await approver.post(`/v1/approvals/${rejected}/reject`, {})
  service.clock.advance(hourMs)
  await Promise.all([expireApprovals(service.deps as never), expireApprovals(service.deps as never)])
  await expireApprovals(service.deps as never)

  await eventually(async () => ids.every((id) => statesOf(id).length >= 2))
  expect(ids.map(statesOf)).toEqual([
    ['executed', 'waiting'],
    ['rejected', 'waiting'],
    ['expired', 'waiting'],
  ])
  const auditor = await platformClient(service, tenant, 'auditor')
  const events = (await auditor.get('/v1/events?categories=AUDIT&limit=1000')).body.data
  const ends = events.filter(({ type }: { type: string }) => type === 'APPROVAL_EXPIRE_AUDIT')
  expect(ends).toMatchObject([{ data: { id: expired } }])
})

test('the approvals of a deleted tenant do not keep those of others waiting', async () => {
  const tenant = await service.addTenant()
  await newWaitingApproval(service, randomUUID())
  const id = await newWaitingApproval(service, tenant.id)
  service.clock.advance(24 * hourMs)
  await expireApprovals(service.deps as never)
  const { db } = service.deps
  expect(await db.read.select().from(approvals).where(eq(approvals.id, id))).toMatchObject([{ state: 'expired' }])
})
