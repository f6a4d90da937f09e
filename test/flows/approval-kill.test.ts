import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { decideApproval } from '../../db/repos/operations/approvals.ts'
import { approvals } from '../../db/tables/operations/approvals.ts'
import { managedObjects } from '../../db/tables/operations/managed-objects.ts'
import { statusBulks } from '../../db/tables/status/bulks.ts'
import { hourMs, plusMs, systemClock } from '../../shared/clock.ts'
import { eventually } from '../harness/harness.ts'
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

test('an approved apply that is cut off between its transactions stays approved, and continues with the same plan', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const { db } = service
  const { operator, id: tenantId } = await service.addTenant({ approvals: { configurationDeletions: 0 } })
  const authorization = { type: 'api-key', value: { $secret: 'KEY' } }
  const source = { name: 'Source', url: 'https://register.example.org/q', authorization }
  const paths = Array.from({ length: 601 }, (_, at) => `claim-sources/s${at}`)
  const planOf = async (of: string[]) => {
    const objects = Object.fromEntries(of.map((path) => [path, source]))
    const files = { format: 1, objects, prune: true, secrets: { KEY: 'a-key-of-the-register' } }
    const { basedOn, digest } = (await operator.post('/v1/configuration/plan', files)).body
    return (madePaths: string[] = []) =>
      operator.post('/v1/configuration/apply', { ...files, basedOn, digest, madePaths })
  }
  expect((await (await planOf(paths))()).status).toBe(200)
  const apply = await planOf(paths.slice(0, 1))
  const { id } = (await apply()).body.approval
  const at = systemClock.now()
  const by = { decidedByClientId: null, decidedByManagementUserId: 'ada', expiresAt: plusMs(at, hourMs) }
  await db.tx((tx) => decideApproval(tx, tenantId, { id, state: 'approved', ...by }, at))

  const count = () => db.read.$count(managedObjects, eq(managedObjects.tenantId, tenantId))
  const sent = apply().catch(() => undefined)
  await eventually(async () => (await count()) < paths.length)
  await service.kill('web')
  await sent
  await service.start('web')
  const stateOf = async () => (await operator.get(`/v1/approvals/${id}`)).body.state
  const left = await count()
  expect(await stateOf()).toBe(left === 1 ? 'executed' : 'approved')
  const rows = await db.read.select().from(managedObjects).where(eq(managedObjects.tenantId, tenantId))
  const names = new Set(rows.map(({ name }) => `claim-sources/${name}`))
  expect((await apply(paths.filter((path) => !names.has(path)))).status).toBe(200)
  expect([await count(), await stateOf()]).toEqual([1, 'executed'])
})
