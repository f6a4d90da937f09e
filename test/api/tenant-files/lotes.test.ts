import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { loteTypeNames } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { callingBeforeTransactions } from '../../harness/before-transactions.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { loteBody } from '../ecosystems/lote-bodies.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Objects = Record<string, Record<string, unknown>>

const ecosystem = { 'ecosystems/eu/ecosystem': { name: 'European Union' } }
const fileOf = (type: string) => `ecosystems/eu/lotes/${type}`

async function apply({ operator }: TestTenant, objects: Objects, more: object = {}, before = async () => {}) {
  const bundle = { format: 1, objects, ...more }
  const { basedOn } = (await operator.post('/v1/configuration/plan', bundle)).body
  const { db } = service.deps
  onTestFinished(() => void Object.assign(service.deps, { db }))
  // The requests of `before` have the database without it.
  service.deps.db = callingBeforeTransactions(db, async () => {
    const calling = service.deps.db
    service.deps.db = db
    await before()
    service.deps.db = calling
  })
  const applied = await operator.post('/v1/configuration/apply', { ...bundle, basedOn })
  service.deps.db = db
  return applied
}

async function newPublisher(objects: Objects) {
  const tenant = await service.addTenant()
  expect(await apply(tenant, { ...ecosystem, ...objects })).toMatchObject({ status: 200 })
  const [{ id }] = (await tenant.operator.get('/v1/ecosystems')).body.data
  return { tenant, configuration: (type: string) => `/v1/ecosystems/${id}/lotes/${type}/configuration` }
}

test('files configure, export and remove the lists of trusted entities of each type', async () => {
  const bodies = loteTypeNames.map((type) => [fileOf(type), { ...loteBody(), schemeName: `List of ${type}` }] as const)
  const { tenant, configuration } = await newPublisher(Object.fromEntries(bodies))
  for (const type of loteTypeNames)
    expect((await tenant.operator.get(configuration(type))).body, type).toMatchObject({ schemeName: `List of ${type}` })

  const { objects } = (await tenant.operator.get('/v1/configuration')).body
  for (const [path, body] of bodies) expect([path, objects[path]]).toEqual([path, body])
  expect((await tenant.operator.post('/v1/configuration/plan', { format: 1, objects })).body.changes).toEqual([])

  const { [fileOf('mdl-providers')]: _removed, ...fewer } = objects
  const pruned = await apply(tenant, fewer, { prune: true })
  expect(pruned.body.changes).toMatchObject([{ op: 'delete', kind: 'mdl-providers configuration' }])
  expect(await tenant.operator.get(configuration('mdl-providers'))).toMatchObject({ status: 404 })
  expect(await tenant.operator.get(configuration('pid-providers'))).toMatchObject({ status: 200 })
})

test('a lock of a list that files made does not concern lists of other types', async () => {
  const tenantFile = { tenant: { name: 'Agency', lockManagedObjects: true } }
  const { tenant, configuration } = await newPublisher({ ...tenantFile, [fileOf('wallet-providers')]: loteBody() })
  const change = (type: string) => tenant.operator.put(configuration(type), loteBody())
  expect(await change('wallet-providers')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('(wallet-providers configuration wallet-providers)') },
  })
  expect(await change('pid-providers')).toMatchObject({ status: 200 })
  expect(await change('mdl-providers')).toMatchObject({ status: 200 })

  const { data } = (await tenant.operator.get('/v1/configuration/objects')).body
  const made = data.filter(({ kind }: { kind: string }) => kind.endsWith('-providers configuration'))
  expect(made).toMatchObject([{ name: 'wallet-providers', resource: configuration('wallet-providers') }])
  const query = (type: string) => `/v1/configuration/objects?resource=${encodeURIComponent(configuration(type))}`
  expect((await tenant.operator.get(query('wallet-providers'))).body.data).toEqual(made)
  expect((await tenant.operator.get(query('pid-providers'))).body.data).toEqual([])
})

test('an apply plans again only after a change of a list of the same type', async () => {
  const { tenant, configuration } = await newPublisher({ [fileOf('pid-providers')]: loteBody() })
  let transactions = 0
  const applyAfterChange = (type: string, schemeName: string) => {
    transactions = 0
    const objects = { ...ecosystem, [fileOf('pid-providers')]: { ...loteBody(), schemeName } }
    return apply(tenant, objects, {}, async () => {
      if (transactions++ > 0) return
      const changed = { ...loteBody(), schemeName: 'Changed by hand' }
      expect(await tenant.operator.put(configuration(type), changed)).toMatchObject({ status: 200 })
    })
  }
  expect(await applyAfterChange('mdl-providers', 'First')).toMatchObject({ status: 200 })
  expect(transactions).toBe(1)
  const refused = await applyAfterChange('pid-providers', 'Second')
  expect(refused).toMatchObject({
    status: 412,
    body: { details: [{ param: expect.stringContaining('pid-providers') }] },
  })
  const { body } = await tenant.operator.get(configuration('pid-providers'))
  expect(body).toMatchObject({ schemeName: 'Changed by hand' })
})
