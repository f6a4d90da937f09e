import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, mdlConfiguration, sdJwtConfiguration, webConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

let service: SharedService
let provider: TestProvider
beforeAll(async () => {
  service = await joinService()
  provider = await startProvider(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const configurationsPath = (profile: string, id = '') =>
  `/v2/credentials/${profile}/configurations/${id}`.replace(/\/$/, '')

async function publishedScope(id: string, tenant: TestTenant = service): Promise<string> {
  const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(body.scopes_supported).toContain(body.credential_configurations_supported[id].scope)
  return body.credential_configurations_supported[id].scope
}

/** Returns the scopes of the token for an authorization request with these scopes, or the error of the redirect. */
async function grantedScope(scope: string): Promise<string> {
  const wallet = newAuthorizationWallet(service, service.origin, 'unused')
  const answer = await wallet.authorize({ authorization_details: undefined, scope })
  const code = answer.get('code')
  return code === null ? (answer.get('error') ?? '') : (await wallet.redeem(code)).body.scope
}

test('the scope of an SD-JWT VC is its id, and every address of its type metadata that was a scope stays valid', async () => {
  const id = await sdJwtConfiguration(service, { vct: undefined })
  const { body: configuration } = await service.operator.get(configurationsPath('sd-jwt', id))
  const changed = { ...configuration, description: 'A new description' }
  const { body: replaced } = await service.operator.put(configurationsPath('sd-jwt', id), changed)
  expect([configuration.vct, replaced.vct].map((vct) => vct.at(-1))).toEqual(['1', '2'])
  expect(await publishedScope(id)).toBe(id)
  for (const scope of [id, `dc+sd-jwt:${configuration.vct}`, `dc+sd-jwt:${replaced.vct}`])
    expect(await grantedScope(scope)).toBe(id)
  expect(await grantedScope(`dc+sd-jwt:${configuration.vct.replace(id, service.id)}`)).toBe('invalid_scope')
})

test('an operator chooses a scope in each profile, and the default scope stays valid', async () => {
  const made = {
    compact: await compactConfiguration(service),
    'web-semantic': await webConfiguration(service),
    mobile: await mdlConfiguration(service),
    'sd-jwt': await sdJwtConfiguration(service),
  }
  for (const [profile, id] of Object.entries(made)) {
    const before = await publishedScope(id)
    const { body } = await service.operator.get(configurationsPath(profile, id))
    const scope = `card.${profile}/read`
    const changed = await service.operator.put(configurationsPath(profile, id), { ...body, scope })
    expect(changed).toMatchObject({ status: 200, body: { scope } })
    expect(await publishedScope(id)).toBe(scope)
    for (const each of [scope, before, id]) expect(await grantedScope(each)).toBe(scope)
  }
})

test('a pushed request can name a chosen scope', async () => {
  const id = await compactConfiguration(service, { scope: 'pushed-card' })
  const wallet = newAuthorizationWallet(service, service.origin, id)
  const { searchParams } = wallet.authorizeUrl({ authorization_details: undefined, scope: 'openid pushed-card' })
  const { body } = await service.anonymous.post('/v1/oauth/par', new URLSearchParams(searchParams))
  const requestUri = encodeURIComponent(body.request_uri)
  const { url } = await wallet.browser.signIn(
    new URL(`${service.origin}/v1/oauth/authorize?client_id=${clientId}&request_uri=${requestUri}`),
  )
  expect((await wallet.redeem(url.searchParams.get('code') ?? '')).body.scope).toBe('pushed-card')
})

test('a scope with the id of a configuration stays valid after the older configuration of the type was deleted', async () => {
  const type = 'Deleted'
  const [older, younger] = [await webConfiguration(service, { type }), await webConfiguration(service, { type })]
  const scope = await publishedScope(younger)
  expect(scope).toBe(`ldp_vc:Deleted:${younger}`)
  expect(await service.operator.delete(configurationsPath('web-semantic', older))).toMatchObject({ status: 204 })
  expect(await publishedScope(younger)).toBe('ldp_vc:Deleted')
  expect(await grantedScope(scope)).toBe('ldp_vc:Deleted')
})

test('two configurations of a tenant cannot have the same scope, and another tenant can have it', async () => {
  const scope = 'taken-card'
  const first = await compactConfiguration(service, { scope })
  const taken = {
    status: 409,
    body: { details: [{ param: 'scope', msg: 'Another configuration has this scope. Choose another scope.' }] },
  }
  const { body: web } = await service.operator.get(configurationsPath('web-semantic', await webConfiguration(service)))
  const { id, ...content } = web
  expect(await service.operator.post(configurationsPath('web-semantic'), { ...content, scope })).toMatchObject(taken)
  expect(await service.operator.put(configurationsPath('web-semantic', id), { ...content, scope })).toMatchObject(taken)
  const { body: own } = await service.operator.get(configurationsPath('compact', first))
  expect(await service.operator.put(configurationsPath('compact', first), own)).toMatchObject({ status: 200 })
  const other = await service.addTenant()
  expect(await publishedScope(await compactConfiguration(other, { scope }), other)).toBe(scope)
})

test('configuration files set the scope', async () => {
  const tenant = await service.addTenant()
  const content = { type: 'FileCard', claimMappings: { level: { defaultValue: '1' } }, scope: 'file-card' }
  const bundle = { format: 1, objects: { 'configurations/compact/file-card': content } }
  const { basedOn } = (await tenant.operator.post('/v1/configuration/plan', bundle)).body
  expect(await tenant.operator.post('/v1/configuration/apply', { ...bundle, basedOn })).toMatchObject({ status: 200 })
  const { body } = await tenant.operator.get('/v1/configuration')
  expect(Object.values(body.objects)).toContainEqual(expect.objectContaining({ scope: 'file-card' }))
})

test.each([
  'two words',
  'a"quote',
  '',
  'x'.repeat(201),
  'cwt:Ticket',
  'dc+sd-jwt:urn:card',
  '0193a5b0-0000-7000-8000-000000000000',
])('the scope %j cannot be chosen', async (scope) => {
  const claimMappings = { level: { defaultValue: '1' } }
  expect(await service.operator.post(configurationsPath('compact'), { claimMappings, scope })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'scope' }] },
  })
})
