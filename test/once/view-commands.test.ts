import { afterAll, expect, test } from 'vitest'
import { compactConfiguration, sdJwtConfiguration } from '../harness/factories.ts'
import { joinService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'
import { startTokenServer } from '../servers/token-server.ts'

const service = await joinService()
const { baseUrl, clientId, clientSecret, operator } = service
const server = await startTokenServer(baseUrl)
const line = newTerminal({ default: { baseUrl, clientId, clientSecret } })
afterAll(async () => {
  line.end()
  await server[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
const card = await compactConfiguration(service, { display: [{ name: 'Library card' }] })
await sdJwtConfiguration(service)
const viewsOf = async () => (await operator.get('/v1/views')).body.data
const serversOf = async () => (await operator.get('/v1/openid/authorization-servers')).body.data
const views = (...args: string[]) => line.run(['views', ...args])
const servers = (...args: string[]) => line.run(['authorization-servers', ...args])

test('views are created, listed and deleted', async () => {
  const create = ['create', '--name', 'iOS wallets', '--path', 'ios', '--credential-profile', 'sd-jwt']
  const haip = ['--protocol', 'haip']
  const created = await views(...create, ...haip, '--display-name', 'University', '--wallet-family', 'eudi-ios')
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const [ios] = await viewsOf()
  expect(ios).toMatchObject({ path: 'ios', profile: 'haip', displayName: 'University', walletFamilies: ['eudi-ios'] })
  expect(ios.configurations).toEqual({ profiles: ['sd-jwt'] })
  expect(created.stdout).toBe(`Created the view ${ios.id}\nIssuer: ${baseUrl}/views/ios\n`)
  await views('create', '--name', 'Cards', '--path', 'cards', '--configuration', 'Library card')
  const cards = (await viewsOf()).find(({ path }: { path: string }) => path === 'cards')
  expect(cards).toMatchObject({ profile: 'standard', configurations: { ids: [card] } })
  const { stdout } = await views('list')
  expect(stdout.split('\n').filter(Boolean).sort()).toEqual(
    [
      `${ios.id}  haip      ${baseUrl}/views/ios  iOS wallets`,
      `${cards.id}  standard  ${baseUrl}/views/cards  Cards`,
    ].sort(),
  )
  for (const view of ['ios', 'Cards']) expect(await views('delete', view)).toMatchObject({ code: 0, stderr: '' })
  expect(await viewsOf()).toEqual([])
})

test('an offer names the view and the authorization server of its options', async () => {
  await views('create', '--name', 'Cards', '--path', 'cards', '--configuration', card)
  const offer = ['offers', 'create', '-c', card, '--view', 'cards', '--json']
  const { body: preAuthorized } = await operator.get(
    `/v1/openid/offers/${JSON.parse((await line.run(offer)).stdout).id}/details`,
  )
  expect(preAuthorized.view).toBe((await viewsOf())[0].id)
  await servers('create', '--name', 'City', '--issuer', server.issuer, '--audience', baseUrl)
  const shared = await line.run(['offers', 'create', '-c', card, '--authorization-server', server.issuer])
  expect(shared).toMatchObject({ code: 0, stderr: '' })
  const uri = new URL(/^Offer: {3}(\S+)\nPage: {4}\S+\n$/.exec(shared.stdout)?.[1] ?? '')
  const reference = await fetch(uri.searchParams.get('credential_offer_uri') ?? '')
  expect(await reference.json()).toMatchObject({
    grants: { authorization_code: { authorization_server: server.issuer } },
  })
  const refused = await line.run([...offer, '--authorization-server', server.issuer, '--code', '--user', card])
  expect(refused).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'The people of --authorization-server are not known yet. Leave out --user and --code\n',
  })
  await servers('delete', 'City')
})

test('authorization servers are created, tested, listed and deleted', async () => {
  const create = ['create', '--name', 'Keycloak', '--issuer', server.issuer, '--audience', baseUrl]
  const created = await servers(...create, '--jwt-profile', 'keycloak', '--claim', 'given_name', '--claim', 'email')
  const [keycloak] = await serversOf()
  expect(created).toEqual({ code: 0, stderr: '', stdout: `Created the authorization server ${keycloak.id}\n` })
  expect(keycloak).toMatchObject({ jwtProfile: 'keycloak', claimsToPersist: ['given_name', 'email'] })
  expect((await servers('list')).stdout).toBe(`${keycloak.id}  ${server.issuer}  ${baseUrl}  Keycloak\n`)
  const tested = await servers('test', 'Keycloak')
  expect(tested).toMatchObject({ code: 0, stderr: '' })
  expect(tested.stdout).toMatch(/^discovery {6}passed {3}.*\nkeys {11}passed {3}/)
  server.isDown = true
  expect(await servers('test', server.issuer)).toMatchObject({ code: 1, stdout: expect.stringContaining('failed') })
  server.isDown = false
  expect(await servers('delete', keycloak.id)).toMatchObject({ code: 0, stdout: expect.stringContaining('Keycloak') })
  expect(await serversOf()).toEqual([])
})

test('wrong options and names are refused with what to give', async () => {
  await views('create', '--name', 'Wallets', '--path', 'android', '--credential-profile', 'sd-jwt')
  await views('create', '--name', 'Wallets', '--path', 'web', '--credential-profile', 'sd-jwt')
  const named = ['create', '--name', 'A', '--path', 'a']
  const refusals = [
    [['create', '--name', 'A'], '--name and --path are required\n'],
    [named, 'Give either --configuration or --credential-profile, at least once\n'],
    [[...named, '-c', card, '--credential-profile', 'mobile'], 'Give either --configuration or --credential-profile'],
    [[...named, '--credential-profile', 'pdf'], '--credential-profile must be one of compact, '],
    [[...named, '-c', card, '--wallet-family', 'eudi'], '--wallet-family must be one of eudi-android, eudi-ios'],
    [[...named, '-c', card, '--protocol', 'eidas'], '--protocol must be standard, haip, eudi or lenient\n'],
    [[...named, '-c', card, '--host', 'other.example'], 'host: Must be an alias of this tenant'],
    [['delete'], 'Give the id or the name of the view. trustwright views list shows them\n'],
    [['delete', 'andriod'], 'There is no view "andriod". Did you mean "android"? "trustwright views list" shows'],
    [['delete', 'Wallets'], '2 views have the name "Wallets". Give an id: '],
  ] as const
  for (const [args, message] of refusals)
    expect(await views(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  expect(await servers('create', '--name', 'A')).toMatchObject({
    stderr: '--name, --issuer and --audience are required\n',
  })
})

test('readers list asks about the tenant and its views, or about one view', async () => {
  await compactConfiguration(service)
  const readable = { name: 'Readable', claimMappings: { given_name: { mapFrom: 'claims.given_name' } } }
  await operator.post('/v2/credentials/sd-jwt/configurations', readable)
  await views('create', '--name', 'Readable', '--path', 'readable', '--configuration', 'Readable')
  const readers = (...args: string[]) => line.run(['readers', 'list', '--family', 'walt-id', ...args])
  const all = await readers()
  expect(all).toMatchObject({ code: 1, stdout: expect.stringContaining('has the format cwt') })
  expect(all.stdout).toMatch(/^walt-id +cannot read {2}walt\.id/)
  expect(all.stdout).toMatch(/^walt-id +reads {2}\S+\/views\/readable {2}walt\.id/m)
  const ofView = await readers('--view', 'Readable')
  expect(ofView).toMatchObject({ code: 0, stdout: expect.stringMatching(/^walt-id +reads /) })
  expect(ofView.stdout).not.toContain('cwt')
  expect(await readers('--view', 'readabel')).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringContaining('There is no view "readabel". Did you mean "readable"?'),
  })
})
