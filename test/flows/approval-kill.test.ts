import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { approvals } from '../../db/tables/operations/approvals.ts'
import { statusBulks } from '../../db/tables/status/bulks.ts'
import { systemClock } from '../../shared/clock.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { newWaitingApproval } from '../harness/waiting-approval.ts'

let service: Processes
beforeAll(async () => {
  service = await startProcesses({})
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('a request whose approval is cut off by a kill is executed with its answer, or still waits', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const { db, secrets, tenant } = service
  const deps = { db, secrets, clock: systemClock }
  const ids: string[] = []
  for (let count = 0; count < 60; count++) ids.push(await newWaitingApproval({ deps }, tenant.id))
  const approve = (id: string) => tenant.operator.post(`/v1/approvals/${id}/approve`, {})
  const sent = ids.map((id) => approve(id).catch(() => undefined))
  await Promise.race(sent)
  await service.kill('web')
  const answers = await Promise.all(sent)
  await service.start('web')

  const executedNow = async () => {
    const rows = await db.read.select().from(approvals).where(eq(approvals.tenantId, tenant.id))
    const bulks = await db.read.select().from(statusBulks).where(eq(statusBulks.tenantId, tenant.id))
    const executed = rows.filter(({ state }) => state === 'executed')
    expect(executed.every(({ sealedAnswer }) => sealedAnswer !== null)).toBe(true)
    expect(executed.map(({ id }) => id).sort()).toEqual(bulks.map(({ id }) => id).sort())
    return new Set(executed.map(({ id }) => id))
  }
  const executed = await executedNow()
  expect(executed.size).toBeGreaterThan(0)
  ids.forEach((id, at) => {
    if (answers[at]?.status === 200) expect(executed).toContain(id)
  })
  const again = await Promise.all(ids.map(approve))
  expect(again.map(({ status }) => status)).toEqual(ids.map((id) => (executed.has(id) ? 409 : 200)))
  expect((await executedNow()).size).toBe(ids.length)
})
