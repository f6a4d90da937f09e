import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvals } from '../../../db/tables/operations/approvals.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { expireApprovals } from '../../../workers/upkeep/expire-approvals.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { platformClient } from '../../harness/platform-client.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const names = ['a', 'b', 'c', 'd']
const webhooks = (of: string[]): Files =>
  Object.fromEntries(
    of.map((name) => [`webhooks/${name}`, { url: `https://example.org/${name}`, events: ['UserErased'] }]),
  )
const bundle = (objects: Files) => ({ format: 1, objects, prune: true, allowDestroy: true })

/** Returns a tenant with an object for each name, in which an apply that deletes more than two objects needs an approval. */
async function newTenant(settings: object = { configurationDeletions: 2 }) {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const approver = await platformClient(service, tenant, 'approver')
  /** Plans the files, and returns the apply of this plan. */
  const plan = async (objects: Files, sender = operator) => {
    const { basedOn, digest } = (await operator.post('/v1/configuration/plan', bundle(objects))).body
    return (more: object = {}) =>
      sender.post('/v1/configuration/apply', { ...bundle(objects), basedOn, digest, ...more })
  }
  expect(await (await plan(webhooks(names)))()).toMatchObject({ status: 200 })
  await operator.put('/v1/settings', { approvals: settings })
  const decide = (id: string, verb = 'approve') => approver.post(`/v1/approvals/${id}/${verb}`, {})
  const stateOf = async (id: string) => (await operator.get(`/v1/approvals/${id}`)).body.state
  const left = async () => (await operator.get('/v1/webhooks')).body.data.length
  return { tenant, operator, approver, plan, decide, stateOf, left }
}

type Apply = Awaited<ReturnType<Awaited<ReturnType<typeof newTenant>>['plan']>>

async function ask(apply: Apply): Promise<string> {
  const { status, body } = await apply()
  expect({ status, state: body.approval?.state }).toEqual({ status: 202, state: 'waiting' })
  return body.approval.id
}

test('an apply that deletes more objects waits with their names, and is made in portions after its approval', async () => {
  const { tenant, operator, approver, plan, decide, stateOf, left } = await newTenant()
  expect((await (await plan(webhooks(['a', 'b', 'c'])))()).status).toBe(200)
  expect((await (await plan(webhooks(names)))()).status).toBe(200)

  const apply = await plan(webhooks(['a']))
  const answer = await apply({ maxChanges: 2 })
  const deletions = ['b', 'c', 'd'].map((name) => ({ op: 'delete', kind: 'webhook', path: `webhooks/${name}` }))
  expect(answer).toMatchObject({
    status: 202,
    body: {
      ...{ changes: [], remaining: 3 },
      approval: { kind: 'configurationDeletions', objects: 3, details: { changes: 3, deletions } },
    },
  })
  const { id } = answer.body.approval
  expect((await apply()).body.approval.id).toBe(id)
  expect(await left()).toBe(4)
  expect((await operator.post(`/v1/approvals/${id}/approve`, {})).status).toBe(409)
  expect((await decide(id)).body).toMatchObject({ state: 'approved', decidedBy: { clientId: approver.clientId } })
  expect((await decide(id)).status).toBe(409)
  expect(await left()).toBe(4)

  const first = await apply({ maxChanges: 2 })
  expect(first).toMatchObject({ status: 200, body: { remaining: 1 } })
  expect(await stateOf(id)).toBe('approved')
  const second = await apply({ madePaths: first.body.madePaths })
  expect(second).toMatchObject({ status: 200, body: { remaining: 0 } })
  expect([await stateOf(id), await left()]).toEqual(['executed', 1])
  const audit = await service.deps.db.read.select().from(auditEvents).where(eq(auditEvents.tenantId, tenant.id))
  const by = { approvalId: id, approvedByClientId: approver.clientId }
  const deleted = audit.filter(({ type }) => type === 'WEBHOOK_DELETE_AUDIT').slice(-3)
  expect(deleted.map(({ data }) => data)).toMatchObject([by, by, by])
})

test('other files, a tenant that changed, and another sender need an approval of their own', async () => {
  const { tenant, operator, plan, decide, left } = await newTenant()
  const apply = await plan(webhooks([]))
  const id = await ask(apply)
  await decide(id)
  expect(await ask(await plan(webhooks(['d'])))).not.toBe(id)
  const another = await platformClient(service, tenant, 'admin')
  expect(await ask(await plan(webhooks([]), another))).not.toBe(id)

  const [{ id: webhookId }] = (await operator.get('/v1/webhooks')).body.data
  const changed = { url: 'https://example.org/changed', events: ['UserErased'] }
  expect((await operator.put(`/v1/webhooks/${webhookId}`, changed)).status).toBe(200)
  expect((await apply()).status).toBe(412)
  expect(await ask(await plan(webhooks([])))).not.toBe(id)
  expect(await left()).toBe(4)
})

test('an approval ends at the apply if others have made its changes, also with a new plan', async () => {
  for (const isPlannedAgain of [false, true]) {
    const { operator, plan, decide, stateOf } = await newTenant()
    const apply = await plan(webhooks(['a']))
    const id = await ask(apply)
    await decide(id)
    const { data } = (await operator.get('/v1/webhooks')).body
    const others = data.filter(({ url }: { url: string }) => !url.endsWith('/a'))
    for (const each of others) expect((await operator.delete(`/v1/webhooks/${each.id}`)).status).toBe(204)
    const answer = await (isPlannedAgain ? await plan(webhooks(['a'])) : apply)()
    expect(answer).toMatchObject({ status: 200, body: { changes: [], remaining: 0 } })
    expect(await stateOf(id)).toBe('executed')
    expect((await apply()).status).toBe(412)
  }
})

test('an approval that is rejected or expires between portions ends the apply', async () => {
  for (const end of ['reject', 'expire'] as const) {
    const { operator, plan, decide, stateOf, left } = await newTenant()
    const apply = await plan(webhooks([]))
    const id = await ask(apply)
    await decide(id)
    const first = await apply({ maxChanges: 1 })
    if (end === 'reject') expect((await operator.post(`/v1/approvals/${id}/reject`, {})).body.state).toBe('rejected')
    else {
      const { db } = service.deps
      await db.tx((tx) => tx.update(approvals).set({ expiresAt: service.clock.now() }).where(eq(approvals.id, id)))
      expect(await stateOf(id)).toBe('expired')
      await expireApprovals(service.deps as never)
    }
    const { status, body } = await apply({ madePaths: first.body.madePaths })
    expect({ status, remaining: body.remaining }).toEqual({ status: 202, remaining: 3 })
    expect(body.approval.id).not.toBe(id)
    expect([await stateOf(id), await left()]).toEqual([end === 'reject' ? 'rejected' : 'expired', 3])
  }
})

test('of an approval and a rejection at once one decides, and of two applies at once one makes the changes', async () => {
  const { plan, decide, stateOf, left } = await newTenant()
  const apply = await plan(webhooks([]))
  const refused = await ask(apply)
  const decisions = await Promise.all(['approve', 'reject'].map((verb) => decide(refused, verb)))
  const { status } = decisions[1] ?? {}
  // A rejection also ends what was approved.
  expect(decisions.map((each) => each.status)).toContain(200)
  expect(await stateOf(refused)).toBe(status === 200 ? 'rejected' : 'approved')
  if (status !== 200) await decide(refused, 'reject')

  const id = await ask(apply)
  await decide(id)
  const answers = await Promise.all([apply(), apply()])
  expect(answers.map((each) => each.status).sort()).toEqual([200, expect.toBeOneOf([409, 412])])
  expect([await stateOf(id), await left()]).toEqual(['executed', 0])
})

test('a setting that is switched on after the plan holds for its apply', async () => {
  const { operator, plan, left } = await newTenant({})
  const apply = await plan(webhooks([]))
  await operator.put('/v1/settings', { approvals: { configurationDeletions: 0 } })
  await ask(apply)
  expect(await left()).toBe(4)
  expect((await operator.put('/v1/settings', { approvals: {} })).status).toBe(202)
})

test('an apply that deletes an authority needs an approval if each of its deletions does', async () => {
  const { operator, plan, decide } = await newTenant({ authorityDeletions: 0 })
  const root = { 'iacas/root': { commonName: 'Root', country: 'NZ', active: false } }
  expect((await (await plan(root))()).status).toBe(200)
  const count = async () => (await operator.get('/v2/credentials/mobile/iacas')).body.data.length
  await eventually(async () => (await count()) === 1)
  const apply = await plan({})
  const id = await ask(apply)
  expect(await count()).toBe(1)
  await decide(id)
  expect((await apply()).status).toBe(200)
  expect(await count()).toBe(0)
})
