import { readdirSync } from 'node:fs'
import { eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../db/client.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { dataFolders, type StartedFolder, startDataFolder } from '../harness/data-folder.ts'
import { eventually, tokenOf } from '../harness/harness.ts'
import { type Receiver, startReceiver, verify } from '../servers/receiver.ts'
import { dpopProof } from '../wallets/dpop.ts'
import { newWallet, readOffer } from '../wallets/wallet.ts'

const versions = readdirSync(dataFolders, { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** One start for all tests of a version; each uses what was made before, by another version. */
describe.each(versions.map(({ name }) => name))('on the data of version %s', (version) => {
  let folder: StartedFolder
  let db: Database
  let operator: Api
  let host: string
  let receiver: Receiver & AsyncDisposable

  beforeAll(async () => {
    receiver = await startReceiver()
    folder = await startDataFolder(version)
    db = openDatabase(folder.databaseUrl, { survives: 'crash' })
    const { baseUrl, clientId, clientSecret } = folder.facts
    host = new URL(baseUrl).host
    operator = createApi(folder.origin, host, await tokenOf(folder.origin, host, clientId, clientSecret))
  })
  afterAll(async () => {
    await db?.close()
    await folder?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  test('clients of tenant and platform sign in with their existing secrets', async () => {
    const { facts, origin } = folder
    expect(await operator.get(`/v1/tenants/${facts.tenantId}/clients`)).toMatchObject({
      status: 200,
      body: { data: [{ clientId: facts.clientId }] },
    })
    const platformHost = new URL(facts.platform.baseUrl).host
    const token = await tokenOf(origin, platformHost, facts.platform.clientId, facts.platform.clientSecret)
    const { body } = await createApi(origin, platformHost, token).get('/v1/tenants')
    expect(body.data.map(({ id }: { id: string }) => id)).toContain(facts.tenantId)
  })

  test('a user is read and found, with the recorded credentials', async () => {
    const { userId, credentialId, untoldCredentialId } = folder.held
    const claims = { given_name: 'Ada', family_name: 'Lovelace' }
    expect(await operator.get(`/v1/users/${userId}`)).toMatchObject({ status: 200, body: { claims } })
    const users = await operator.post('/v1/users/search', { claims: { family_name: 'Lovelace' } })
    expect(users.body.data).toContainEqual(expect.objectContaining({ id: userId }))
    const { body } = await operator.get(`/v1/users/${userId}/credentials`)
    const ids = [credentialId, untoldCredentialId]
    expect(body.data.map(({ id, status }: Record<string, string>) => [id, status])).toEqual(
      expect.arrayContaining(ids.map((id) => [id, 'valid'])),
    )
  })

  test('users who signed in belong to the issuer at which they did', async () => {
    const { body } = await operator.get('/v1/users/authentication-providers')
    const signedIn = await db.read.select({ issuer: users.issuer }).from(users).where(isNotNull(users.providerId))
    expect(signedIn.length).toBeGreaterThan(0)
    expect(new Set(signedIn.map(({ issuer }) => issuer))).toEqual(new Set([body.data[0].url.replace(/\/$/, '')]))
  })

  test('existing settings, events and deliveries are returned', async () => {
    for (const path of [
      '/v1/claim-sources',
      '/v1/openid/clients',
      '/v1/webhooks',
      '/v1/users/authentication-providers',
    ])
      expect((await operator.get(path)).body.data.length, path).toBeGreaterThan(0)
    expect((await operator.get('/v1/openid/configuration')).body).toHaveProperty('interactionHook.secret')
    expect((await operator.get('/v1/events?types=USER_CREATE_SUCCESS')).body.data.length).toBeGreaterThan(0)
    const { body } = await operator.get(`/v1/webhooks/${folder.held.webhookId}/deliveries`)
    expect(body.data.length).toBeGreaterThanOrEqual(4)
    expect((await operator.get('/v1/overview/issuances?days=366')).body.total).toBeGreaterThanOrEqual(2)
  })

  test('a shared offer is listed by its configuration, which it protects', async () => {
    const { credential_configuration_ids, grants } = await readOffer(folder.held.sharedOfferUri, operator)
    const { issuer_state } = grants.authorization_code
    for (const id of credential_configuration_ids) {
      const { body } = await operator.get(`/v1/openid/offers?configurationId=${id}`)
      expect(body.data).toContainEqual(expect.objectContaining({ id: issuer_state, state: 'usable' }))
    }
  })

  test('an existing offer is redeemed, and its credential is delivered under existing keys', async () => {
    const { held, facts, origin } = folder
    const { body: before } = await operator.get('/v1/webhooks/jwks')
    const events = ['OpenIdCredentialIssued']
    const change = { events, url: receiver.url }
    expect(await operator.put(`/v1/webhooks/${held.webhookId}`, change)).toMatchObject({ status: 200 })
    const wallet = await newWallet({ host, baseUrl: facts.baseUrl }, origin, held.offerUri)
    expect(await wallet.collect()).toMatchObject({ status: 200 })
    const delivery = await eventually(async () =>
      receiver.deliveries.find(({ body }) => body.event.payload.userId === held.userId),
    )
    expect(await verify(delivery, before)).toBe(true)
  })

  test('an existing refresh token gives another access token', async () => {
    const { held, facts, origin } = folder
    const dpop = await dpopProof({ key: held.dpopKey, url: `${facts.baseUrl}/v1/oauth/token` })
    const form = { grant_type: 'refresh_token', client_id: 'test-wallet', refresh_token: held.refreshToken }
    const answer = await createApi(origin, host).post('/v1/oauth/token', new URLSearchParams(form), { dpop })
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'DPoP', refresh_token: expect.any(String) } })
  })

  test('existing outbox rows are processed', async () => {
    await eventually(async () => (await db.read.$count(outbox)) === 0)
    const ofCredential = eq(deliveries.objectId, folder.held.untoldCredentialId)
    // The job of a row can run after the row has left the outbox.
    await expect.poll(async () => db.read.$count(deliveries, ofCredential)).toBeGreaterThan(0)
  })
})
