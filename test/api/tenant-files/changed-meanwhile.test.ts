import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { maxChangesAtOnce } from '../../../api/tenant-files/apply.ts'
import { callingBeforeTransactions } from '../../harness/before-transactions.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const authorization = { type: 'api-key', value: { $secret: 'KEY' } }
const sourceNamed = (name: string) => ({ name, url: 'https://source.example.org/', authorization })
const licence = { type: 'Licence', claimMappings: { level: { defaultValue: 'B1' } } }
const bundle = (objects: Files) => ({ format: 1, objects, secrets: { KEY: 'a-key-of-the-register' } })

/** Plans and applies. `run` is called before each transaction of the apply, with the number of earlier ones. */
async function apply(
  { operator }: TestTenant,
  objects: Files,
  run: (earlier: number) => Promise<unknown> = async () => {},
) {
  const { basedOn, digest } = (await operator.post('/v1/configuration/plan', bundle(objects))).body
  const { db } = service.deps
  onTestFinished(() => void Object.assign(service.deps, { db }))
  // The requests of `run` have the database without it.
  service.deps.db = callingBeforeTransactions(db, async (earlier) => {
    const calling = service.deps.db
    service.deps.db = db
    await run(earlier)
    service.deps.db = calling
  })
  const applied = await operator.post('/v1/configuration/apply', { ...bundle(objects), basedOn, digest })
  service.deps.db = db
  return applied
}

async function changesOf({ operator }: TestTenant, objects: Files): Promise<unknown[]> {
  return (await operator.post('/v1/configuration/plan', bundle(objects))).body.changes
}

const manySources = (prefix: string, count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const name = `${prefix}-${String(at).padStart(4, '0')}`
      return [`claim-sources/${name}`, sourceNamed(name)]
    }),
  )

test('an object that changes between the plan of an apply and its first transaction is named, and nothing is changed', async () => {
  const tenant = await service.addTenant()
  const files: Files = {
    'claim-sources/register': sourceNamed('Register'),
    'configurations/compact/licence': licence,
  }
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  const [source] = (await tenant.operator.get('/v1/claim-sources')).body.data
  const [configuration] = (await tenant.operator.get('/v2/credentials/compact/configurations')).body.data
  const changed: Files = {
    'claim-sources/register': sourceNamed('Students'),
    'configurations/compact/licence': { ...licence, expiresIn: { years: 1 } },
  }
  const changes = {
    'claim-sources/register': () =>
      tenant.operator.put(`/v1/claim-sources/${source.id}`, {
        ...sourceNamed('By hand'),
        authorization: { type: 'api-key', value: 'another-key-of-the-register' },
      }),
    'configurations/compact/licence': () =>
      tenant.operator.put(`/v2/credentials/compact/configurations/${configuration.id}`, {
        ...licence,
        expiresIn: { years: 2 },
      }),
  }
  for (const [path, change] of Object.entries(changes)) {
    const applied = await apply(tenant, changed, async (earlier) => {
      if (earlier === 0) expect(await change()).toMatchObject({ status: 200 })
    })
    const moved = [{ param: `basedOn.${path}`, msg: 'Was changed after the plan', location: 'body' }]
    expect(applied).toMatchObject({ status: 412, body: { details: moved } })
    expect(await changesOf(tenant, changed)).toHaveLength(2)
  }
})

test('a change of an object without a file does not stop an apply', async () => {
  const tenant = await service.addTenant()
  const byHand = { ...sourceNamed('By hand'), authorization: { type: 'api-key', value: 'another-key-of-a-source' } }
  let created = 0
  const applied = await apply(tenant, { 'configurations/compact/licence': licence }, async () => {
    if (created++ === 0) expect(await tenant.operator.post('/v1/claim-sources', byHand)).toMatchObject({ status: 201 })
  })
  expect(applied).toMatchObject({ status: 200, body: { changes: [{ op: 'create' }] } })
})

test('an object that changes between two transactions of an apply is named, and a new plan has the rest', async () => {
  const tenant = await service.addTenant()
  const last = { 'claim-sources/z-last': sourceNamed('Last') }
  expect(await apply(tenant, last)).toMatchObject({ status: 200 })
  const [{ id }] = (await tenant.operator.get('/v1/claim-sources')).body.data
  const files: Files = { ...manySources('a', maxChangesAtOnce), 'claim-sources/z-last': sourceNamed('Changed') }
  const applied = await apply(tenant, files, async (earlier) => {
    if (earlier === 1) expect(await tenant.operator.delete(`/v1/claim-sources/${id}`)).toMatchObject({ status: 204 })
  })
  expect(applied).toMatchObject({
    status: 412,
    body: {
      message: expect.stringContaining(
        `The first ${maxChangesAtOnce} changes were made. Make a new plan for the others.`,
      ),
      details: [{ param: 'basedOn.claim-sources/z-last', msg: 'Was deleted after the plan' }],
    },
  })
  expect(await changesOf(tenant, files)).toMatchObject([{ op: 'create', path: 'claim-sources/z-last' }])
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  expect(await changesOf(tenant, files)).toEqual([])
})

test('an apply that is refused in a later transaction says how many changes were made', async () => {
  const tenant = await service.addTenant()
  const webhook = { events: ['OpenIdCredentialIssued'], url: 'https://crm.example.org/hook' }
  const many = manySources('a', maxChangesAtOnce - 1)
  await tenant.operator.post('/v2/credentials/compact/configurations', licence)
  const files: Files = { ...many, 'configurations/compact/other': licence, 'webhooks/crm': webhook }
  const early = await apply(tenant, files)
  expect(early).toMatchObject({
    status: 409,
    body: { details: [{ param: 'objects.configurations/compact/other.type' }] },
  })
  expect(early.body.message).not.toContain('were made')
  expect(await changesOf(tenant, files)).toHaveLength(maxChangesAtOnce + 1)

  const late = await apply(tenant, { ...files, ...manySources('b', 1) })
  const message = expect.stringContaining(`The first ${maxChangesAtOnce} changes were made.`)
  expect(late).toMatchObject({ status: 409, body: { message } })
  expect(await changesOf(tenant, files)).toMatchObject([
    { op: 'create', path: 'configurations/compact/other' },
    { op: 'create', path: 'webhooks/crm' },
  ])
})

test('an object that was deleted by hand belongs to the files again after the next apply', async () => {
  const tenant = await service.addTenant()
  const files = manySources('a', 1)
  await apply(tenant, files)
  const [{ id }] = (await tenant.operator.get('/v1/claim-sources')).body.data
  await tenant.operator.delete(`/v1/claim-sources/${id}`)
  expect(await apply(tenant, files)).toMatchObject({ status: 200, body: { changes: [{ op: 'create' }] } })
  expect((await tenant.operator.get('/v1/configuration/objects')).body.data).toHaveLength(1)
})

test('an apply can take longer than other requests', async () => {
  const tenant = await service.addTenant()
  const { deps } = service
  const { config } = deps
  onTestFinished(() => void Object.assign(deps, { config }))
  // Plans and applies have a longer deadline of their own.
  deps.config = { ...config, credentialDeadlineMs: 500 }
  const applied = await apply(tenant, manySources('a', 1), async () => {
    const { db } = deps
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    deps.db = callingBeforeTransactions(db, () => released)
    // It began after the apply, and reaches its deadline while the apply waits.
    expect(await tenant.operator.post('/v1/users', { claims: {} })).toMatchObject({ status: 503 })
    deps.db = db
    release()
  })
  expect(applied).toMatchObject({ status: 200 })
})
