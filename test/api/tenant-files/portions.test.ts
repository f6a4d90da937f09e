import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const authorization = { type: 'api-key', value: { $secret: 'KEY' } }
const sources = (names: string[]): Files =>
  Object.fromEntries(
    names.map((name) => [`claim-sources/${name}`, { name, url: 'https://source.example.org/', authorization }]),
  )
const bundle = (objects: Files) => ({ format: 1, objects, secrets: { KEY: 'a-key-of-the-register' }, prune: true })

async function planOf({ operator }: TestTenant, files: Files) {
  const { basedOn, digest } = (await operator.post('/v1/configuration/plan', bundle(files))).body
  return (more: object) => operator.post('/v1/configuration/apply', { ...bundle(files), basedOn, digest, ...more })
}

const pathsOf = (body: { changes: { path: string }[] }) => body.changes.map(({ path }) => path)

test('an apply of some changes says how many are left, and its continuation makes them', async () => {
  const tenant = await service.addTenant()
  const apply = await planOf(tenant, sources(['a', 'b', 'c']))
  const first = await apply({ maxChanges: 2 })
  expect(first).toMatchObject({ status: 200, body: { remaining: 1 } })
  expect(pathsOf(first.body)).toEqual(['claim-sources/a', 'claim-sources/b'])
  const second = await apply({ maxChanges: 2, madePaths: first.body.madePaths })
  expect(second).toMatchObject({ status: 200, body: { remaining: 0 } })
  expect(pathsOf(second.body)).toEqual(['claim-sources/c'])
  expect(second.body).not.toHaveProperty('madePaths')
})

test('an apply that moves and deletes objects continues', async () => {
  const tenant = await service.addTenant()
  expect(await (await planOf(tenant, sources(['a', 'b', 'c'])))({})).toMatchObject({ status: 200 })
  const moved = { 'claim-sources/z': { ...sources(['a'])['claim-sources/a'], movedFrom: 'claim-sources/a' } }
  const apply = await planOf(tenant, moved)
  const paths: string[] = []
  let madePaths: string[] | undefined = []
  while (madePaths) {
    const { status, body } = await apply({ maxChanges: 1, madePaths })
    expect({ status, details: body.details }).toEqual({ status: 200 })
    paths.push(...pathsOf(body))
    madePaths = body.madePaths
  }
  expect(paths.sort()).toEqual(['claim-sources/b', 'claim-sources/c', 'claim-sources/z'])
  const { body } = await tenant.operator.post('/v1/configuration/plan', bundle(moved))
  expect(body.changes).toEqual([])
})

test('a continuation is refused if an object was changed after it was made', async () => {
  const tenant = await service.addTenant()
  const apply = await planOf(tenant, sources(['a', 'b']))
  const { body } = await apply({ maxChanges: 1 })
  const [{ id, ...source }] = (await tenant.operator.get('/v1/claim-sources')).body.data
  const changed = { name: 'Changed', url: source.url, authorization: { type: 'api-key', value: 'another-key' } }
  expect(await tenant.operator.put(`/v1/claim-sources/${id}`, changed)).toMatchObject({ status: 200 })
  expect(await apply({ madePaths: body.madePaths })).toMatchObject({
    status: 412,
    body: { details: [{ param: 'basedOn.claim-sources/a' }] },
  })
})

test('an apply of nothing leaves nothing', async () => {
  const tenant = await service.addTenant()
  expect(await (await planOf(tenant, {}))({ maxChanges: 1 })).toMatchObject({
    status: 200,
    body: { changes: [], remaining: 0 },
  })
})

test.each([0, 5_001, 1.5])('%d is no number of changes', async (maxChanges) => {
  const tenant = await service.addTenant()
  const apply = await planOf(tenant, sources(['a']))
  expect(await apply({ maxChanges })).toMatchObject({ status: 400, body: { details: [{ param: 'maxChanges' }] } })
})
