import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { addServer, serversPath } from '../../wallets/external-wallet.ts'
import { preAuthorizedGrant, readOffer } from '../../wallets/wallet.ts'

const city = { issuer: 'https://login.example.com/realms/city' }
const land = { issuer: 'https://login.example.com/realms/land' }
const metadataPath = '/.well-known/openid-credential-issuer'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('the metadata name the servers after this service, and are as before without a server', async () => {
  const { operator, anonymous, baseUrl, ...tenant } = await service.addTenant()
  const before = (await anonymous.get(metadataPath)).body
  expect(before).not.toHaveProperty('authorization_servers')
  const id = await addServer({ operator, anonymous, baseUrl, ...tenant }, city)
  await addServer({ operator, anonymous, baseUrl, ...tenant }, land)
  const servers = [baseUrl, city.issuer, land.issuer]
  const after = (await anonymous.get(metadataPath)).body
  expect(after).toEqual({ ...before, authorization_servers: servers })
  const resource = await anonymous.get('/.well-known/oauth-protected-resource')
  expect(resource.body.authorization_servers).toEqual(servers)
  await operator.delete(`${serversPath}/${id}`)
  expect((await anonymous.get(metadataPath)).body.authorization_servers).toEqual([baseUrl, land.issuer])
})

test('an offer names its server, by its id or issuer, and else this service', async () => {
  const tenant = await service.addTenant()
  const { operator, anonymous, baseUrl } = tenant
  const credentials = [await compactConfiguration(tenant)]
  const grantsOf = async (body: object) => {
    const created = await operator.post('/v1/openid/offers', { credentials, ...body })
    return (await readOffer(created.body.uri, anonymous)).grants.authorization_code
  }
  const before = await grantsOf({})
  expect(before).toEqual({ issuer_state: expect.any(String) })
  const id = await addServer(tenant, city)
  expect(await grantsOf({})).toMatchObject({ authorization_server: baseUrl })
  for (const authorizationServer of [id, city.issuer])
    for (const by of ['value', 'reference'])
      expect(await grantsOf({ authorizationServer, by })).toMatchObject({ authorization_server: city.issuer })
  const refused = await operator.post('/v1/openid/offers', { credentials, authorizationServer: land.issuer })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'authorizationServer' }] } })
  const preAuthorized = await readOffer((await newOffer(tenant, credentials)).uri, anonymous)
  expect(preAuthorized.grants[preAuthorizedGrant]).toMatchObject({ authorization_server: baseUrl })
})

test('an offer whose server is deleted names this service, or no server if there is none', async () => {
  const tenant = await service.addTenant()
  const { operator, anonymous, baseUrl } = tenant
  const credentials = [await compactConfiguration(tenant)]
  const [cityId, landId] = [await addServer(tenant, city), await addServer(tenant, land)]
  const body = { credentials, authorizationServer: cityId, by: 'reference' }
  const { uri } = (await operator.post('/v1/openid/offers', body)).body
  const grant = async () => (await readOffer(uri, anonymous)).grants.authorization_code
  expect(await grant()).toMatchObject({ authorization_server: city.issuer })
  await operator.delete(`${serversPath}/${cityId}`)
  expect(await grant()).toMatchObject({ authorization_server: baseUrl })
  await operator.delete(`${serversPath}/${landId}`)
  expect(await grant()).not.toHaveProperty('authorization_server')
})
