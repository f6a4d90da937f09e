import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refreshTokens } from '../../db/tables/issuance/refresh-tokens.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import type { HolderKeyPair } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
let otherId: string
let scope: string
let key: HolderKeyPair

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  otherId = await compactConfiguration(service)
  const { body } = await service.anonymous.get('/.well-known/openid-credential-issuer')
  scope = body.credential_configurations_supported[configurationId].scope
  key = await newDpopKey()
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

type Changes = Record<string, string | undefined>

const newWallet = () => newAuthorizationWallet(service, service.origin, configurationId)
const tokenUrl = () => `${service.baseUrl}/v1/oauth/token`

/** The service's clock, which tests have moved. */
const seconds = () => Math.floor(service.clock.now().getTime() / 1000)

describe('a refresh token', () => {
  const proof = (by = key) => dpopProof({ key: by, url: tokenUrl(), payload: { iat: seconds() } })
  async function granted(changes: Changes = {}) {
    const wallet = newWallet()
    const code = (await wallet.authorize(changes)).get('code') ?? ''
    const { body } = await wallet.redeem(code, {}, { dpop: await proof() })
    return body
  }
  async function refresh(token: string, by = key, changes: Changes = {}) {
    const entries = Object.entries({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...changes,
    })
    const form = new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
    return createApi(service.origin, service.host).post('/v1/oauth/token', form, { dpop: await proof(by) })
  }

  test('gives access tokens and stays the same, for a month since its last use', async () => {
    const { access_token, refresh_token } = await granted()
    for (let use = 0; use < 3; use++) {
      service.clock.advance(29 * 24 * 3_600_000)
      const { status, body } = await refresh(refresh_token)
      expect({ status, body }).toMatchObject({ status: 200, body: { token_type: 'DPoP', refresh_token } })
      expect(body.access_token).not.toBe(access_token)
    }
    service.clock.advance(31 * 24 * 3_600_000)
    expect(await refresh(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    service.clock.advance(-118 * 24 * 3_600_000)
  })

  test('and a code give the same response again while the service secret is replaced', async () => {
    const { secrets, config } = service.deps
    const before = { ...secrets }
    const wallet = newWallet()
    const code = (await wallet.authorize()).get('code') ?? ''
    const redeem = async () => wallet.redeem(code, {}, { dpop: await proof() })
    const first = await redeem()
    Object.assign(secrets, createSecrets([randomBytes(32), ...config.serviceSecrets]))
    const again = await redeem()
    Object.assign(secrets, before)
    expect(again).toMatchObject({ status: 200 })
    const tokensOf = ({ access_token, refresh_token }: Record<string, unknown>) => [access_token, refresh_token]
    expect(tokensOf(again.body)).toEqual(tokensOf(first.body))
    expect(await refresh(first.body.refresh_token)).toMatchObject({ status: 200 })
  })

  test('that an earlier version rotated is refused, and its authorization stays', async () => {
    const [rotated, other] = [await granted(), await granted()]
    const ofRotated = eq(refreshTokens.id, rotated.refresh_token.split('.')[0])
    await service.deps.db.tx((tx) => tx.update(refreshTokens).set({ spentAt: new Date() }).where(ofRotated))
    expect(await refresh(rotated.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const ofSession = eq(sessions.id, rotated.access_token.split('.')[0])
    expect(await service.deps.db.read.$count(sessions, ofSession)).toBe(1)
    expect(await refresh(other.refresh_token)).toMatchObject({ status: 200 })
  })

  test('gives tokens in fifty concurrent uses, and stays the same', async () => {
    const { refresh_token } = await granted()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refresh_token)))
    expect(new Set(answers.map(({ body }) => body.refresh_token))).toEqual(new Set([refresh_token]))
    expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(50)
  })

  test('is bound to key and client', async () => {
    const { refresh_token } = await granted()
    const another = await newDpopKey()
    expect(await refresh(refresh_token, another)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await refresh(refresh_token, key, { client_id: 'another' })).toMatchObject({ status: 400 })
    expect(await refresh(refresh_token, key, { client_id: undefined })).toMatchObject({ status: 400 })
    expect(await refresh(refresh_token)).toMatchObject({ status: 200 })
  })

  test('gives identifiers for authorization_details, and is refused with those of others without being spent', async () => {
    const { refresh_token } = await granted({ authorization_details: undefined, scope })
    const detailsOf = (id: string) => [{ type: 'openid_credential', credential_configuration_id: id }]
    const refreshFor = (details: unknown) =>
      refresh(refresh_token, key, { authorization_details: JSON.stringify(details) })
    const refusal = { status: 400, body: { error: 'invalid_authorization_details' } }
    expect(await refreshFor(detailsOf(otherId))).toMatchObject(refusal)
    expect(await refreshFor('openid_credential')).toMatchObject(refusal)
    const { status, body } = await refreshFor(detailsOf(configurationId))
    const [entry] = detailsOf(configurationId)
    const authorization_details = [{ ...entry, credential_identifiers: [expect.any(String)] }]
    expect({ status, body }).toMatchObject({ status: 200, body: { authorization_details } })
    const again = await refresh(body.refresh_token)
    expect(again.status).toBe(200)
    expect(again.body).not.toHaveProperty('authorization_details')
  })

  test('of an erased person gives nothing, and nothing of it stays', async () => {
    const { refresh_token, access_token } = await granted()
    const [sessionId] = access_token.split('.')
    const [session] = await service.deps.db.read.select().from(sessions).where(eq(sessions.id, sessionId))
    const ofUser = eq(refreshTokens.userId, session?.userId ?? '')
    expect(await service.deps.db.read.$count(refreshTokens, ofUser)).toBeGreaterThan(0)
    expect(await service.operator.delete(`/v1/users/${session?.userId}`)).toMatchObject({ status: 204 })
    expect(await refresh(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await service.deps.db.read.$count(refreshTokens, ofUser)).toBe(0)
  })

  test('is not issued with a bearer token', async () => {
    const wallet = newWallet()
    const token = await wallet.redeem((await wallet.authorize()).get('code') ?? '')
    expect(token.body).not.toHaveProperty('refresh_token')
  })
})
