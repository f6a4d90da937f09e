import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { newCertificate, pemOf } from '../certificates/certificates.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { randomFiles } from '../harness/random-files.ts'
import { seededRandom } from '../harness/seeded-random.ts'

/** `TENANT_FILES=1000` and `TENANT_FILES_KILLS=100` are the full proof. */
const tenants = Number(process.env.TENANT_FILES ?? 10)
const kills = Number(process.env.TENANT_FILES_KILLS ?? 4)
const timeout = 120_000 + 10_000 * tenants + 30_000 * kills

type Files = Record<string, Record<string, unknown>>

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const secret = 'canary-of-a-secret-0123456789'

/** The secrets of the files, by the names that they have in them. */
function secretsOf(objects: Files): Record<string, string> {
  const names = [...JSON.stringify(objects).matchAll(/"\$secret":"(\w+)"/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, secret]))
}

async function plan({ operator }: TestTenant, objects: Files, more: object = {}) {
  const body = { format: 1, objects, secrets: secretsOf(objects), ...more }
  return operator.post('/v1/configuration/plan', body)
}

async function apply(tenant: TestTenant, objects: Files, more: object = {}) {
  const planned = await plan(tenant, objects, more)
  if (planned.status !== 200) return planned
  const body = { format: 1, objects, secrets: secretsOf(objects), ...more, basedOn: planned.body.basedOn }
  return tenant.operator.post('/v1/configuration/apply', body)
}

test('an export of a random tenant makes an equal tenant, and the second plan is empty', { timeout }, async () => {
  onTestFailed(() => console.error(service.troubles().slice(-10_000)))
  const random = seededRandom()
  const names = ['One', 'Two', 'Three']
  const certificates = await Promise.all(names.map(async (name) => pemOf(await newCertificate({ name, ca: true }))))
  let size = 0
  for (let count = 0; count < tenants; count++) {
    const [first, second] = [await service.addTenant(), await service.addTenant()]
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
    expect(JSON.stringify(again)).not.toContain(secret)
    size += Object.keys(files).length
  }
  expect(size).toBeGreaterThan(tenants)
  expect(service.output()).not.toContain(secret)
})

test('a kill during an apply leaves the old state or the new one', { timeout }, async () => {
  onTestFailed(() => console.error(service.troubles().slice(-10_000)))
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
