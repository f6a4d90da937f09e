import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sentMarks } from '../../api/issuance/credential/sent-marks.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessionClaims } from '../../db/tables/issuance/session-claims.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { plusMs } from '../../shared/clock.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { writingBetweenReads } from '../harness/between-reads.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import {
  type HolderKeyPair,
  makeProof,
  newHolderKey,
  newWallet,
  preAuthorizedGrant,
  readOffer,
} from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationIds: string[]
let key: HolderKeyPair
let movedMs = 0

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationIds = [await compactConfiguration(service), await webConfiguration(service)]
  key = await newDpopKey()
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterEach(() => {
  vi.restoreAllMocks()
  service.clock.advance(-movedMs)
  movedMs = 0
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

function advance(ms: number): void {
  movedMs += ms
  service.clock.advance(ms)
}

/** Stops the clock except for `advance`, so that a slow machine does not use up the ten seconds of a repetition. */
function stopClock(): void {
  const at = service.clock.now()
  vi.spyOn(service.clock, 'now').mockImplementation(() => plusMs(at, movedMs))
}

const seconds = () => Math.floor(service.clock.now().getTime() / 1000)
const proofOf = (by: HolderKeyPair) =>
  dpopProof({ key: by, url: `${service.baseUrl}/v1/oauth/token`, payload: { iat: seconds() } })

async function collect(token: ApiResponse['body'], holder: HolderKeyPair, configurationId = configurationIds[0]) {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const jwt = await makeProof({ issuer: service.baseUrl, nonce, key: holder, payload: { iat: seconds() } })
  const url = `${service.baseUrl}/v1/openid/credential`
  const accessToken = token.access_token
  const headers = {
    authorization: `${token.token_type} ${accessToken}`,
    ...(token.token_type === 'DPoP'
      ? { dpop: await dpopProof({ key, url, accessToken, payload: { iat: seconds() } }) }
      : {}),
  }
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [jwt] } }
  return service.anonymous.post('/v1/openid/credential', body, headers)
}

/** A secret that can be exchanged for a token, in each way that there is. */
interface Exchange {
  /** With the key that it is bound to, or another; without any where it is bound to none. */
  exchange(by?: HolderKeyPair): Promise<ApiResponse>
}

async function preAuthorized(extra: Record<string, string> = {}, offer: Record<string, unknown> = {}) {
  const { id, uri, transactionCode } = await newOffer(service, configurationIds, offer)
  const { grants } = await readOffer(uri, service.anonymous)
  const form = {
    grant_type: preAuthorizedGrant,
    'pre-authorized_code': grants[preAuthorizedGrant]['pre-authorized_code'],
  }
  const post = async (by?: HolderKeyPair, changes: Record<string, string> = {}) => {
    const body = new URLSearchParams({ ...form, ...extra, ...changes })
    return service.anonymous.post('/v1/oauth/token', body, by ? { dpop: await proofOf(by) } : {})
  }
  return { id, transactionCode, post }
}

async function authorized() {
  const wallet = newAuthorizationWallet(service, service.origin, configurationIds[0] ?? '')
  const code = (await wallet.authorize()).get('code') ?? ''
  const exchange = async (by = key, changes: Record<string, string> = {}) =>
    wallet.redeem(code, changes, { dpop: await proofOf(by) })
  return { exchange }
}

const kinds: Record<string, () => Promise<Exchange>> = {
  'a pre-authorized code': async () => {
    const { post } = await preAuthorized()
    return { exchange: (by = key) => post(by) }
  },
  'a code': authorized,
}

describe.each(Object.keys(kinds))('%s with a lost response', (name) => {
  beforeEach(stopClock)
  const started = () => kinds[name]?.() ?? Promise.reject(new Error(name))
  /** As the process does half a second after it answered. */
  const sent = () => service.deps.services.of(sentMarks).flush()

  test('gives the same response to the same wallet for ten seconds, and one session', async () => {
    const { exchange } = await started()
    const first = await exchange()
    expect(first).toMatchObject({ status: 200, body: { token_type: 'DPoP', expires_in: 3600 } })
    await sent()
    advance(9_000)
    const again = await exchange()
    expect(again).toMatchObject({ status: 200, body: { ...first.body, expires_in: expect.any(Number) } })
    expect(again.body.expires_in).toBeLessThan(3600)
    const [sessionId] = first.body.access_token.split('.')
    const [row] = await service.deps.db.read.select().from(sessions).where(eq(sessions.id, sessionId))
    const ofUser = eq(sessions.userId, row?.userId ?? '')
    const live = (await service.deps.db.read.select().from(sessions).where(ofUser)).filter(
      ({ exchangedHash }) => exchangedHash === row?.exchangedHash,
    )
    expect(live).toHaveLength(1)
    expect(await collect(again.body, await newHolderKey())).toMatchObject({ status: 200 })
  })

  test('gives nothing after ten seconds, and its token is revoked', async () => {
    const { exchange } = await started()
    const { status, body } = await exchange()
    expect(status).toBe(200)
    await sent()
    advance(10_500)
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await collect(body, await newHolderKey())).toMatchObject({ status: 401 })
  })

  test('gives nothing after the token was used', async () => {
    const { exchange } = await started()
    const { body } = await exchange()
    expect(await collect(body, await newHolderKey())).toMatchObject({ status: 200 })
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await collect(body, await newHolderKey(), configurationIds[1])).toMatchObject({ status: 401 })
    const ofSession = eq(sessionClaims.sessionId, body.access_token.split('.')[0])
    expect(await service.deps.db.read.$count(sessionClaims, ofSession)).toBe(0)
  })

  test('gives nothing to another key, which revokes only the token of a code that is bound to its wallet', async () => {
    const { exchange } = await started()
    const { status, body } = await exchange()
    expect(status).toBe(200)
    expect(await exchange(await newDpopKey())).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const collected = await collect(body, await newHolderKey())
    expect(collected.status).toBe(name === 'a pre-authorized code' ? 200 : 401)
  })

  test('gives nothing if the service secret changed, because the token would differ', async () => {
    const { exchange } = await started()
    const { body } = await exchange()
    const [sessionId] = body.access_token.split('.')
    const tokenHash = 'of the token under the secret of before'
    await service.deps.db.tx((tx) => tx.update(sessions).set({ tokenHash }).where(eq(sessions.id, sessionId)))
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('gives the same response later if the process died before it sent it', async () => {
    const { exchange } = await started()
    const first = await exchange()
    await sent()
    const [sessionId] = first.body.access_token.split('.')
    await service.deps.db.tx((tx) => tx.update(sessions).set({ sentAt: null }).where(eq(sessions.id, sessionId)))
    advance(45_000)
    const again = await exchange()
    expect(again).toMatchObject({ status: 200, body: { access_token: first.body.access_token } })
  })
})

describe('a code that is sent a second time', () => {
  test('with another verifier is refused, and the first token is revoked', async () => {
    const { exchange } = await authorized()
    const { body } = await exchange()
    expect(await exchange(key, { code_verifier: 'v'.repeat(43) })).toMatchObject({ status: 400 })
    expect(await collect(body, await newHolderKey())).toMatchObject({ status: 401 })
  })

  test('by another client is refused, and the first token is revoked', async () => {
    const { exchange } = await authorized()
    const { body } = await exchange()
    expect(await exchange(key, { client_id: 'another' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect(await collect(body, await newHolderKey())).toMatchObject({ status: 401 })
  })

  test.each([true, false])(
    'and bound only by its PKCE verifier can be repeated by a registered client (%s)',
    async (isRegistered) => {
      const clientId = `verifier-${isRegistered}`
      const client = { name: 'Wallet', clientId, redirectUris: [redirectUri] }
      if (isRegistered) expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
      const wallet = newAuthorizationWallet(service, service.origin, configurationIds[0] ?? '')
      const code = (await wallet.authorize({ client_id: clientId })).get('code') ?? ''
      const first = await wallet.redeem(code, { client_id: clientId })
      const { access_token } = first.body
      expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
      const repeated = isRegistered ? { status: 200, body: { access_token } } : { status: 400 }
      expect(await wallet.redeem(code, { client_id: clientId })).toMatchObject(repeated)
      expect(await collect(first.body, await newHolderKey())).toMatchObject({ status: 200 })
      expect(await wallet.redeem(code, { client_id: clientId })).toMatchObject({ status: 400 })
      expect(await collect(first.body, await newHolderKey())).toMatchObject({ status: 401 })
    },
  )

  test('after its refresh token was used is refused, and both tokens are revoked', async () => {
    const { exchange } = await authorized()
    const { body } = await exchange()
    const form = { grant_type: 'refresh_token', client_id: 'test-wallet', refresh_token: body.refresh_token }
    const refreshed = await service.anonymous.post('/v1/oauth/token', new URLSearchParams(form), {
      dpop: await proofOf(key),
    })
    expect(refreshed).toMatchObject({ status: 200 })
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    for (const token of [body, refreshed.body])
      expect(await collect(token, await newHolderKey())).toMatchObject({ status: 401 })
  })
})

describe('a pre-authorized code that is sent a second time', () => {
  test.each<[string, Record<string, string>]>([
    ['from the same wallet', {}],
    ['from a wallet of another name', { client_id: 'two' }],
  ])('%s, and is bound to no key, is refused, and revokes its token after ten seconds', async (_from, changes) => {
    const { id, post } = await preAuthorized({ client_id: 'one' })
    const first = await post()
    expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    expect(await post(undefined, changes)).toMatchObject(refused)
    const [spent] = await service.deps.db.read.select().from(offers).where(eq(offers.id, id))
    expect(spent?.state).toBe('spent')
    advance(10_500)
    expect(await post(undefined, changes)).toMatchObject(refused)
    expect(await collect(first.body, await newHolderKey())).toMatchObject({ status: 401 })
    const [offer] = await service.deps.db.read.select().from(offers).where(eq(offers.id, id))
    expect(offer?.state).toBe('ended')
  })

  test('after a credential was issued for it revokes its token, and the offer stays claimed', async () => {
    const offer = { transactionCodeConfiguration: { inputMode: 'numeric' } }
    const { id, post, transactionCode = '' } = await preAuthorized({}, offer)
    const first = await post(undefined, { tx_code: transactionCode })
    expect(await collect(first.body, await newHolderKey())).toMatchObject({ status: 200 })
    expect(await post(undefined, { tx_code: transactionCode })).toMatchObject({ status: 400 })
    expect(await collect(first.body, await newHolderKey(), configurationIds[1])).toMatchObject({ status: 401 })
    const [row] = await service.deps.db.read.select().from(offers).where(eq(offers.id, id))
    expect(row?.state).toBe('claimed')
  })

  test('still requires its transaction code: three wrong ones are checked, no more, and the token stays valid', async () => {
    const offer = { transactionCodeConfiguration: { inputMode: 'numeric' } }
    const { post, transactionCode = '' } = await preAuthorized({}, offer)
    const first = await post(key, { tx_code: transactionCode })
    expect(first).toMatchObject({ status: 200 })
    const { access_token } = first.body
    expect(await post(key, { tx_code: transactionCode })).toMatchObject({ status: 200, body: { access_token } })
    for (let guess = 0; guess < 3; guess++) {
      const refused = await post(key, { tx_code: 'wrong' })
      expect(refused).toMatchObject({ status: 400, body: { error_description: expect.stringContaining('tx_code') } })
    }
    expect(await post(key, { tx_code: transactionCode })).toMatchObject({ status: 400 })
    expect(await collect(first.body, await newHolderKey())).toMatchObject({ status: 200 })
  })

  test('gives the same credential identifiers again', async () => {
    const details = configurationIds.map((id) => ({ type: 'openid_credential', credential_configuration_id: id }))
    const { post } = await preAuthorized({ authorization_details: JSON.stringify(details) })
    const first = await post(key)
    expect(first.body.authorization_details).toHaveLength(2)
    expect((await post(key)).body.authorization_details).toEqual(first.body.authorization_details)
  })
})

test('a credential with a lost response is given to the same keys as long as the token lives, and issued once', async () => {
  const { id, uri } = await newOffer(service, configurationIds)
  const wallet = await newWallet(service, service.origin, uri)
  const { body: token } = await wallet.redeem()
  const first = await collect(token, wallet.key)
  expect(first).toMatchObject({ status: 200 })
  await service.deps.services.of(sentMarks).flush()
  advance(290_000)
  expect(await collect(token, wallet.key)).toMatchObject({ status: 200, body: first.body })
  expect(await collect(token, await newHolderKey())).toMatchObject({ status: 400 })
  advance(11_000)
  expect(await collect(token, wallet.key)).toMatchObject({ status: 401 })
  const { body: timeline } = await service.operator.get(`/v1/openid/offers/${id}/timeline`)
  const signed = timeline.data.filter(({ step, outcome }: Record<string, string>) => {
    return step === 'credential signed' && outcome === 'success'
  })
  expect(signed).toHaveLength(1)
})

test('a request that fails because its person is being erased gets 503, and then 401', async () => {
  const { body: user } = await service.operator.post('/v1/users', {})
  const { uri } = await newOffer(service, configurationIds, { userId: user.id })
  const wallet = await newWallet(service, service.origin, uri)
  const { body: token } = await wallet.redeem()
  expect(await collect(token, wallet.key)).toMatchObject({ status: 200 })
  await service.deps.services.of(sentMarks).flush()
  // The credential was given to other keys, so the request is refused. The erasure is seen by the second question after that.
  const isMarked = 'exists (select 1 from sessions where user_id = $1 and credentials_left = 4242)'
  const isRefused = "exists (select 1 from issuances where user_id = $1 and state = 'refused')"
  const { db } = service.deps
  const erasing = writingBetweenReads(db, service.deps.config.databaseUrl, () => [
    [`delete from issuances where user_id = $1 and ${isMarked.replace('$1', '$2')}`, user.id, user.id],
    [`delete from users where id = $1 and ${isMarked.replace('$1', '$2')}`, user.id, user.id],
    ['delete from sessions where user_id = $1 and credentials_left = 4242', user.id],
    [
      `update sessions set credentials_left = 4242 where user_id = $1 and ${isRefused.replace('$1', '$2')}`,
      user.id,
      user.id,
    ],
  ])
  service.deps.db = erasing.db
  try {
    const refused = await collect(token, await newHolderKey())
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
    expect(await collect(token, wallet.key)).toMatchObject({ status: 401 })
  } finally {
    service.deps.db = db
    await erasing.close()
  }
})

test('an offer, a token and a credential whose commits were not confirmed to the process are given once', async () => {
  const { db } = service.deps
  const { txAtOnce } = db
  db.txAtOnce = async (work) => {
    await txAtOnce(work)
    return txAtOnce(work)
  }
  try {
    const { id, uri } = await newOffer(service, configurationIds.slice(0, 1))
    const wallet = await newWallet(service, service.origin, uri)
    const { status, body: token } = await wallet.redeem()
    expect(status).toBe(200)
    expect(await collect(token, wallet.key)).toMatchObject({ status: 200 })
    expect(await db.read.$count(offers, eq(offers.id, id))).toBe(1)
    expect(await db.read.$count(sessions, eq(sessions.offerId, id))).toBe(1)
    expect(await db.read.$count(issuances, eq(issuances.offerId, id))).toBe(1)
  } finally {
    db.txAtOnce = txAtOnce
  }
})
