import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { startTokenServer, type TokenServer } from '../../servers/token-server.ts'

let service: SharedService
let server: TokenServer
beforeAll(async () => {
  service = await joinService()
  server = await startTokenServer('https://issuer.example.com')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

type Files = Record<string, Record<string, unknown>>

const secrets = { INTROSPECTION_KEY: 'a-secret-between-the-two' }
const card = { 'configurations/compact/card': { type: 'Card', claimMappings: { level: { defaultValue: 'B1' } } } }
const other = { 'configurations/compact/other': { type: 'Other', claimMappings: { level: { defaultValue: 'B2' } } } }
const ref = (path: string) => ({ $ref: path })
const iosView = {
  ...{ name: 'iOS wallets', path: 'ios', profile: 'standard' },
  configurations: { ids: [ref('configurations/compact/card')] },
}
const introspection = { clientId: 'trustwright', clientSecret: { $secret: 'INTROSPECTION_KEY' } }
const city = () => ({ name: 'City', issuer: server.issuer, audience: 'https://issuer.example.com' })
const scopes = { 'org.example.card': ref('configurations/compact/card'), card: ref('configurations/compact/card') }

const plan = ({ operator }: TestTenant, objects: Files, more: object = {}) =>
  operator.post('/v1/configuration/plan', { format: 1, objects, secrets, ...more })

/** Plans and applies. Returns the answer to the apply. */
async function apply(tenant: TestTenant, objects: Files, more: object = {}) {
  const planned = await plan(tenant, objects, more)
  expect(planned).toMatchObject({ status: 200 })
  const { digest, basedOn } = planned.body
  return tenant.operator.post('/v1/configuration/apply', {
    ...{ format: 1, objects, secrets, ...more, digest, basedOn },
  })
}

const listOf = async ({ operator }: TestTenant, path: string) => (await operator.get(path)).body.data
const viewsOf = (tenant: TestTenant) => listOf(tenant, '/v1/views')
const serversOf = (tenant: TestTenant) => listOf(tenant, '/v1/openid/authorization-servers')
const configurationsOf = (tenant: TestTenant) => listOf(tenant, '/v2/credentials/compact/configurations')

test('a view and an authorization server refer to configurations of files, and an export makes an equal tenant', async () => {
  const [first, second] = [await service.addTenant(), await service.addTenant()]
  const files: Files = {
    ...card,
    'views/ios': iosView,
    'authorization-servers/city': { ...city(), introspection, scopes },
  }
  expect(await apply(first, files)).toMatchObject({ status: 200 })
  const [{ id }] = await configurationsOf(first)
  expect(await viewsOf(first)).toMatchObject([{ path: 'ios', configurations: { ids: [id] } }])
  expect(await serversOf(first)).toMatchObject([
    { scopes: { card: id, 'org.example.card': id }, introspection: { clientId: 'trustwright' } },
  ])
  expect((await plan(first, files, { prune: true })).body.changes).toEqual([])
  const { body: exported } = await first.operator.get('/v1/configuration')
  expect(JSON.stringify(exported)).not.toContain(secrets.INTROSPECTION_KEY)
  expect(exported.objects['authorization-servers/city']).toEqual({
    ...{ ...city(), scopes },
    introspection: { clientId: 'trustwright', clientSecret: { $secret: 'AUTHORIZATION_SERVERS_CITY' } },
  })
  const more = { secrets: { AUTHORIZATION_SERVERS_CITY: secrets.INTROSPECTION_KEY } }
  expect(await apply(second, exported.objects, more)).toMatchObject({ status: 200 })
  expect((await second.operator.get('/v1/configuration')).body).toEqual(exported)
})

test('a changed member is an update, a new path replaces the view, and prune deletes both kinds', async () => {
  const tenant = await service.addTenant()
  const files = (view: object, settings: object): Files => ({
    ...{ ...card, ...other },
    ...{ 'views/ios': { ...iosView, ...view }, 'authorization-servers/city': { ...city(), ...settings } },
  })
  await apply(tenant, files({}, {}))
  const [before] = await viewsOf(tenant)
  const both = { configurations: { ids: Object.keys({ ...card, ...other }).map(ref) } }
  const changed = files(both, { scopes: { 'a.b': ref('configurations/compact/other') } })
  expect((await plan(tenant, changed)).body.changes).toMatchObject([
    { op: 'update', path: 'views/ios', isDestructive: false },
    { op: 'update', path: 'authorization-servers/city', fields: [{ path: 'scopes.a.b' }] },
  ])
  expect(await apply(tenant, changed)).toMatchObject({ status: 200 })
  const ids = (await configurationsOf(tenant)).map((row: { id: string }) => row.id)
  expect(await viewsOf(tenant)).toMatchObject([{ id: before.id, configurations: { ids } }])
  const moved = files({ ...both, path: 'apple' }, { scopes: { 'a.b': ref('configurations/compact/other') } })
  expect((await plan(tenant, moved)).body.changes).toMatchObject([{ op: 'replace', path: 'views/ios' }])
  expect(await apply(tenant, moved)).toMatchObject({ status: 200 })
  expect(await viewsOf(tenant)).toMatchObject([{ path: 'apple' }])
  // The configurations are deleted after what refers to them.
  const removed = (await plan(tenant, {}, { prune: true })).body.changes
  expect(removed.map(({ path }: { path: string }) => path)).toEqual([
    ...['authorization-servers/city', 'views/ios', 'configurations/compact/card', 'configurations/compact/other'],
  ])
  expect(await apply(tenant, {}, { prune: true })).toMatchObject({ status: 200 })
  expect([await viewsOf(tenant), await serversOf(tenant), await configurationsOf(tenant)]).toEqual([[], [], []])
})

test('a file names a configuration by reference, of the right kind, and at an existing path', async () => {
  const { operator, ...tenant } = await service.addTenant()
  const id = await compactConfiguration({ operator, ...tenant })
  const faultsOf = async (objects: Files) =>
    (await plan({ operator, ...tenant }, { ...card, ...objects })).body.details.map(
      ({ param, msg }: { param: string; msg: string }) => [param, msg],
    )
  const advice = 'Must be {"$ref": "PATH"} with the path of the other file'
  expect(
    await faultsOf({
      'views/a': { ...iosView, configurations: { ids: [id] } },
      'views/b': { ...iosView, configurations: { ids: [ref('configurations/compact/none')] } },
      'views/c': { ...iosView, configurations: { ids: [ref('webhooks/crm')] } },
      'authorization-servers/d': { ...city(), scopes: { 'a.b': id } },
      'authorization-servers/e': { ...city(), introspection: { ...introspection, clientSecret: 'clear' } },
    }),
  ).toEqual([
    ['objects.views/a.configurations.ids.0', advice],
    ['objects.authorization-servers/d.scopes.a.b', advice],
    [
      'objects.authorization-servers/e.introspection.clientSecret',
      'Must be {"$secret": "NAME"}, so that no file has the secret',
    ],
    ['objects.views/b.configurations.ids.0', 'No file and no object is at configurations/compact/none'],
    ['objects.views/c.configurations.ids.0', expect.stringContaining('Must be the path of a file of the kind compact')],
  ])
})

test('the discovery of a server is checked before an apply changes anything', async () => {
  const tenant = await service.addTenant()
  await using lying = await startTokenServer('https://issuer.example.com')
  lying.metadata.issuer = 'https://other.example.com'
  const files = { ...card, 'authorization-servers/city': { ...city(), issuer: lying.issuer } }
  expect(await apply(tenant, files)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'objects.authorization-servers/city.issuer' }] },
  })
  expect(await configurationsOf(tenant)).toEqual([])
  lying.requests.length = 0
  lying.metadata = {}
  expect(await apply(tenant, files)).toMatchObject({ status: 200 })
  // Once, and not in the transaction again.
  expect(lying.requests.filter(({ path }) => path === lying.discoveryPath)).toHaveLength(1)
})

test('an export leaves out deleted configurations, which views and servers can still name', async () => {
  const tenant = await service.addTenant()
  const files: Files = {
    ...{ ...card, ...other },
    'views/ios': { ...iosView, configurations: { ids: Object.keys({ ...card, ...other }).map(ref) } },
    'authorization-servers/city': { ...city(), scopes: { ...scopes, 'a.b': ref('configurations/compact/other') } },
  }
  await apply(tenant, files)
  const deleted = (await configurationsOf(tenant)).find(({ type }: { type: string }) => type === 'Other')
  expect(await tenant.operator.delete(`/v2/credentials/compact/configurations/${deleted.id}`)).toMatchObject({
    status: 204,
  })
  const { objects } = (await tenant.operator.get('/v1/configuration')).body
  expect(objects['views/ios'].configurations).toEqual(iosView.configurations)
  expect(objects['authorization-servers/city'].scopes).toEqual(scopes)
  expect((await plan(tenant, objects)).body.changes).toEqual([])
})

test('a view is checked against the settings that the same apply makes', async () => {
  const tenant = await service.addTenant()
  const sdJwt = { vct: 'urn:example:card', name: 'Card', claimMappings: { level: { defaultValue: 'B1' } } }
  const files = (statusListFormat: string): Files => ({
    tenant: { statusListFormat },
    'configurations/sd-jwt/card': sdJwt,
    'views/strict': { ...iosView, profile: 'haip', configurations: { profiles: ['sd-jwt'] } },
  })
  expect(await apply(tenant, files('legacy'))).toMatchObject({
    status: 400,
    body: { details: [{ param: 'objects.views/strict.profile' }] },
  })
  await apply(tenant, { tenant: { statusListFormat: 'legacy' } })
  expect(await apply(tenant, files('draft14'))).toMatchObject({ status: 200 })
})

test('an apply cannot give a server the audience of a view that it creates', async () => {
  const tenant = await service.addTenant()
  const files: Files = {
    ...card,
    ...{ 'views/ios': iosView, 'authorization-servers/city': { ...city(), audience: `${tenant.baseUrl}/views/ios` } },
  }
  expect(await apply(tenant, files)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'objects.authorization-servers/city.audience' }] },
  })
  expect([await viewsOf(tenant), await serversOf(tenant)]).toEqual([[], []])
})
