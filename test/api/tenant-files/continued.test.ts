import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>

/** Plans once, and applies one change with each request. Returns the changes and the content of the refusal, if any. */
async function applyOneByOne({ operator }: TestTenant, objects: Files, more: object = {}) {
  const bundle = { format: 1, objects, prune: true, ...more }
  const plan = await operator.post('/v1/configuration/plan', bundle)
  expect([plan.status, plan.body.details]).toEqual([200, undefined])
  const { basedOn, digest } = plan.body
  const changes: object[] = []
  let madePaths: string[] | undefined = []
  while (madePaths) {
    const body = { ...bundle, basedOn, digest, maxChanges: 1, madePaths }
    const applied = await operator.post('/v1/configuration/apply', body)
    expect([applied.status, applied.body.details, applied.body.message]).toEqual([200, undefined, undefined])
    changes.push(...applied.body.changes.map(({ op, path }: { op: string; path: string }) => `${op} ${path}`))
    madePaths = applied.body.madePaths
  }
  expect((await operator.post('/v1/configuration/plan', bundle)).body.changes).toEqual([])
  return changes
}

const type = (name: string) => ({ profile: 'mobile', type: `org.example.${name}`, name })
const ecosystem = (at: string, types: string[], movedFrom?: string): Files => ({
  [`${at}/ecosystem`]: { name: 'Driving licences', ...(movedFrom && { movedFrom: `${movedFrom}/ecosystem` }) },
  ...Object.fromEntries(types.map((name) => [`${at}/types/${name}`, type(name)])),
  [`${at}/participants/agency`]: {
    name: 'Agency',
    isIssuer: true,
    issuer: { credentialTypes: types.map((name) => ({ $ref: `${at}/types/${name}` })) },
  },
})

test('an apply in portions continues after it has renamed the folder of an ecosystem', async () => {
  const tenant = await service.addTenant()
  const [old, now] = ['ecosystems/nz', 'ecosystems/aotearoa']
  await applyOneByOne(tenant, ecosystem(old, ['a', 'b', 'c']))
  const { [`${now}/types/a`]: a, ...files } = ecosystem(now, ['a', 'b'], old)
  files[`${now}/types/z`] = { ...a, movedFrom: `${old}/types/a` }
  const renamed: Files = JSON.parse(JSON.stringify(files).replace(`${now}/types/a"`, `${now}/types/z"`))
  const changes = await applyOneByOne(tenant, renamed)
  expect(changes.sort()).toEqual([
    'delete ecosystems/aotearoa/types/c',
    'move ecosystems/aotearoa/ecosystem',
    'move ecosystems/aotearoa/types/z',
    'update ecosystems/aotearoa/participants/agency',
  ])
})

test('an apply in portions continues after it has created objects again to which others refer', async () => {
  const tenant = await service.addTenant()
  const card = {
    vct: 'urn:example:card',
    name: 'Card',
    claimMappings: { given_name: { mapFrom: 'claims.given_name' } },
  }
  const filesWith = (commonName: string, typeOfA: string): Files => ({
    ...ecosystem('ecosystems/nz', ['a', 'b']),
    'ecosystems/nz/types/a': { ...type('a'), type: typeOfA },
    'iacas/root': { commonName, country: 'NZ', active: false },
    'configurations/sd-jwt/card': { ...card, signerCaId: { $ref: 'iacas/root' } },
  })
  const files = filesWith('One', 'org.example.a')
  await applyOneByOne(tenant, files)
  const isPending = async () => {
    const { body } = await tenant.operator.post('/v1/configuration/plan', { format: 1, objects: files })
    return body.pending.length > 0
  }
  await eventually(async () => !(await isPending()))
  expect(await applyOneByOne(tenant, filesWith('Two', 'org.example.other'), { allowDestroy: true })).toEqual([
    'replace iacas/root',
    'update configurations/sd-jwt/card',
    'replace ecosystems/nz/types/a',
    'update ecosystems/nz/participants/agency',
  ])
})

test('an apply of the largest files that can be planned has room for the versions and the paths of earlier applies', async () => {
  const { operator } = await service.addTenant()
  const variables = Object.fromEntries(Array.from({ length: 498 }, (_, at) => [`V${at}`, 'v'.repeat(9_990)]))
  const bundle = { format: 1, objects: {}, variables }
  const { status, body } = await operator.post('/v1/configuration/plan', bundle)
  expect(status).toBe(200)
  // An apply of 5,000 files that deletes all other objects of a tenant has so many.
  const madePaths = Array.from({ length: 25_000 }, (_, at) => `webhooks/a-name-of-usual-length-${at}`)
  const { basedOn, digest } = body
  const applied = await operator.post('/v1/configuration/apply', { ...bundle, basedOn, digest, madePaths })
  expect(applied).toMatchObject({ status: 200, body: { remaining: 0 } })
})

test('a continuation that is refused counts the changes of earlier requests too', async () => {
  const { operator } = await service.addTenant()
  const content = { type: 'Licence', claimMappings: { level: { defaultValue: 'B1' } } }
  expect(await operator.post('/v2/credentials/compact/configurations', content)).toMatchObject({ status: 201 })
  const objects = { 'iacas/root': { commonName: 'Root', country: 'NZ' }, 'configurations/compact/other': content }
  const bundle = { format: 1, objects }
  const { basedOn, digest } = (await operator.post('/v1/configuration/plan', bundle)).body
  const apply = (more: object) =>
    operator.post('/v1/configuration/apply', { ...bundle, basedOn, digest, maxChanges: 1, ...more })
  const { madePaths } = (await apply({})).body
  expect(await apply({ madePaths })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('The first 1 changes were made.') },
  })
})
