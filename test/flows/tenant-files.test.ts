import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq, gt } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { maxChangesAtOnce } from '../../api/tenant-files/apply.ts'
import { auditEvents } from '../../db/tables/operations/audit-events.ts'
import { events } from '../../db/tables/operations/events.ts'
import { managedObjects } from '../../db/tables/operations/managed-objects.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { newCertificate, pemOf } from '../certificates/certificates.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { randomFiles } from '../harness/random-files.ts'
import { seededRandom } from '../harness/seeded-random.ts'

/** `TENANT_FILES=1000`, `TENANT_FILES_KILLS=100` and `TENANT_FILES_SECRETS=10000` are the full proof. */
const tenants = Number(process.env.TENANT_FILES ?? 3)
const kills = Number(process.env.TENANT_FILES_KILLS ?? 2)
const secrets = Number(process.env.TENANT_FILES_SECRETS ?? 100)
const timeout = 120_000 + 10_000 * tenants + 30_000 * kills

type Files = Record<string, Record<string, unknown>>

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** The first letters of each secret. */
const canary = 'canary-of-a-secret'

/** The secrets of the files, by the names that they have in them. Each name has a value of its own. */
function secretsOf(objects: Files): Record<string, string> {
  const names = [...JSON.stringify(objects).matchAll(/"\$secret":"(\w+)"/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, `${canary}-${name}-0123456789`]))
}

async function plan({ operator }: TestTenant, objects: Files, more: object = {}) {
  const body = { format: 1, objects, secrets: secretsOf(objects), ...more }
  return operator.post('/v1/configuration/plan', body)
}

async function apply(tenant: TestTenant, objects: Files, more: object = {}) {
  const planned = await plan(tenant, objects, more)
  expect(JSON.stringify(planned.body)).not.toContain(canary)
  if (planned.status !== 200) return planned
  const body = { format: 1, objects, secrets: secretsOf(objects), ...more, basedOn: planned.body.basedOn }
  return tenant.operator.post('/v1/configuration/apply', body)
}

/** Each secret is sealed in its row, and is nowhere else in clear. Waits for the events of the last tenant. */
async function requireNoCanaries({ operator }: TestTenant): Promise<void> {
  const exports = '/v1/events?types=CONFIGURATION_EXPORT_SUCCESS'
  await eventually(async () => (await operator.get(exports)).body.data.length > 0)
  expect(service.output()).not.toContain(canary)
  for (const table of [events, auditEvents, outbox]) await requireNoCanary(table)
}

/** Reads all rows of a table, in pages. */
async function requireNoCanary(table: typeof events | typeof auditEvents | typeof outbox): Promise<void> {
  let last = ''
  for (;;) {
    const rows = await service.db.read
      .select()
      .from(table)
      .where(gt(table.id, last))
      .orderBy(asc(table.id))
      .limit(5_000)
    expect(JSON.stringify(rows)).not.toContain(canary)
    if (rows.length === 0) break
    last = String(rows.at(-1)?.id)
  }
  // The outbox can be empty.
  if (table !== outbox) expect(last).not.toBe('')
}

test('an export of a random tenant makes an equal tenant, and the second plan is empty', { timeout }, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const random = seededRandom()
  const names = ['One', 'Two', 'Three']
  const certificates = await Promise.all(names.map(async (name) => pemOf(await newCertificate({ name, ca: true }))))
  let size = 0
  let last = service.tenant
  for (let count = 0; count < tenants; count++) {
    const [first, second] = [await service.addTenant(), await service.addTenant()]
    last = second
    const files = randomFiles(random, certificates)
    expect((await apply(first, files)).body.details).toBeUndefined()
    const { body: exported } = await first.operator.get('/v1/configuration')
    expect(Object.keys(exported.objects).sort()).toEqual(Object.keys(files).sort())
    expect((await apply(second, exported.objects)).body.details).toBeUndefined()
    const { body: again } = await second.operator.get('/v1/configuration')
    expect(JSON.stringify(again)).toBe(JSON.stringify(exported))
    for (const [tenant, wanted] of [
      [first, files],
      [second, exported.objects],
    ] as const)
      expect((await plan(tenant, wanted, { prune: true })).body.changes).toEqual([])
    // The export has an IACA before and after its key exists.
    await eventually(async () => (await plan(second, exported.objects)).body.pending.length === 0)
    expect((await second.operator.get('/v1/configuration')).body).toEqual(exported)
    expect(JSON.stringify(again)).not.toContain(canary)
    size += Object.keys(files).length
  }
  expect(size).toBeGreaterThan(tenants)
  await requireNoCanaries(last)
})

test('no secret of a file is in plans, exports, logs, events and the audit', { timeout }, async () => {
  const perTenant = 1_000
  let tenant = service.tenant
  for (let left = secrets; left > 0; left -= perTenant) {
    tenant = await service.addTenant()
    const sources = (requestMethod: string): Files =>
      Object.fromEntries(
        Array.from({ length: Math.min(left, perTenant) }, (_, at) => [
          `claim-sources/s${at}`,
          {
            ...{ name: `Source ${at}`, url: 'https://register.example.org/q', requestMethod },
            authorization: { type: 'api-key', value: { $secret: `KEY_${at}` } },
          },
        ]),
      )
    for (const method of ['GET', 'POST']) {
      const applied = await apply(tenant, sources(method))
      expect([applied.status, applied.body.details]).toEqual([200, undefined])
      expect(JSON.stringify(applied.body)).not.toContain(canary)
    }
    // Another value of each secret, which is compared and not stored.
    const planned = await plan(tenant, sources('GET'), {
      secrets: Object.fromEntries(
        Object.keys(secretsOf(sources('GET'))).map((name) => [name, `${canary}-other-${name}`]),
      ),
    })
    expect(planned.body.changes).toHaveLength(Math.min(left, perTenant))
    expect(JSON.stringify(planned.body)).not.toContain(canary)
    expect(JSON.stringify((await tenant.operator.get('/v1/configuration')).body)).not.toContain(canary)
  }
  await requireNoCanaries(tenant)
})

test('a kill during an apply leaves the old state or the new one', { timeout }, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const random = seededRandom()
  const tenant = await service.addTenant()
  const stateOf = (version: number): Files =>
    Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `configurations/compact/c${version % 2 === 0 ? at : at + 20}`,
        { type: `Type${version % 2}-${at}`, claimMappings: { level: { defaultValue: `V${version}` } } },
      ]),
    )
  let version = 0
  expect(await apply(tenant, stateOf(version))).toMatchObject({ status: 200 })
  for (let count = 0; count < kills; count++) {
    const next = stateOf(version + 1)
    const applied = apply(tenant, next, { prune: true }).catch(() => undefined)
    await sleep(random() * 400)
    await service.kill('web')
    await applied
    await service.start('web')
    const changes = async (files: Files) => (await plan(tenant, files, { prune: true })).body.changes?.length
    await eventually(async () => (await changes(next)) !== undefined)
    const [toOld, toNew] = [await changes(stateOf(version)), await changes(next)]
    expect([toOld, toNew]).toContain(0)
    if (toNew === 0) version++
  }
})

test('a kill during an apply of many changes leaves whole transactions, and the next apply makes the rest', {
  timeout,
}, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const tenant = await service.addTenant()
  const source = {
    url: 'https://register.example.org/q',
    authorization: { type: 'api-key', value: { $secret: 'KEY' } },
  }
  const files: Files = Object.fromEntries(
    Array.from({ length: 10 * maxChangesAtOnce }, (_, at) => [
      `claim-sources/s${at}`,
      { name: `Source ${at}`, ...source },
    ]),
  )
  const applied = apply(tenant, files).catch(() => undefined)
  const made = () => service.db.read.$count(managedObjects, eq(managedObjects.tenantId, tenant.id))
  await eventually(async () => (await made()) > 0)
  await service.kill('web')
  await applied
  await service.start('web')
  const count = await made()
  expect(count % maxChangesAtOnce).toBe(0)
  expect((await plan(tenant, files)).body.changes).toHaveLength(Object.keys(files).length - count)
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  expect((await plan(tenant, files, { prune: true })).body.changes).toEqual([])
})
