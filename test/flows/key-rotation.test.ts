import { CompactEncrypt, createLocalJWKSet, importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type TestTenant, testTenant, tokenOf } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startReceiver, verify } from '../servers/receiver.ts'
import { fetchDidDocument, verifyCwt, verifyJsonLd } from '../verifiers/outside-verifiers.ts'
import { newWallet } from '../wallets/wallet.ts'

const purposes = ['credentials', 'webhooks', 'tokens', 'encryption']
const rounds = 4

let service: Processes
let receiver: Awaited<ReturnType<typeof startReceiver>>
/** The same tenant by each of the web processes. */
let doors: { tenant: TestTenant; origin: string }[]
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startProcesses()
  await Promise.all([service.start('second web'), service.start('second signing')])
  const { id, baseUrl, did, clientId, clientSecret } = service.tenant
  const client = { clientId, clientSecret }
  doors = await Promise.all(
    [service.origin, service.secondOrigin].map(async (origin) => {
      return { origin, tenant: await testTenant(origin, { id, baseUrl, did, client }) }
    }),
  )
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

let turn = 0
/** One door to do something by, and the other one to look at what is published. */
function twoDoors() {
  const at = turn++ % 2
  return [doors[at]!, doors[1 - at]!] as const
}

interface Made {
  compact: unknown[]
  web: unknown[]
  tokens: string[]
}

test('keys are rotated under load without a failed request, and all signatures verify with the published keys, then and later', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const { operator } = service.tenant
  const webhook = { events: ['OpenIdCredentialIssuedSummary'], url: receiver.url }
  expect(await operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const expiresIn = { days: 1 }
  const [compact, web] = [
    await compactConfiguration(service.tenant, { revocable: true, expiresIn }),
    await webConfiguration(service.tenant, { revocable: true, expiresIn }),
  ]
  const made: Made = { compact: [], web: [], tokens: [] }
  const load = startLoad([
    async () => {
      const credential = await collect(compact)
      made.compact.push(credential)
      verifyCwt(credential, await didNow())
    },
    async () => {
      const credential = await collect(web)
      made.web.push(credential)
      expect(await verifyJsonLd(credential, await didNow())).toBe(true)
    },
    async () => {
      made.tokens.push(await useNewToken())
    },
    async () => sendEncrypted(compact),
    checkWebhooks,
  ])

  const rotated = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (const purpose of purposes) {
      const [{ tenant }] = twoDoors()
      const { status, body } = await tenant.operator.post(`/v1/keys/${purpose}/rotate`)
      expect([status, body]).toEqual([201, { id: expect.any(String) }])
      rotated.add(body.id)
      await load.turnOfEach()
    }
  }
  await load.stop()
  expect(rotated.size).toBe(rounds * purposes.length)

  const did = await didNow()
  for (const credential of made.compact) verifyCwt(credential, did)
  for (const credential of made.web) expect(await verifyJsonLd(credential, did)).toBe(true)
  const { body: jwks } = await service.tenant.anonymous.get('/v1/openid/jwks')
  for (const token of made.tokens) await jwtVerify(token, createLocalJWKSet(jwks))
  const issued = made.compact.length + made.web.length
  await eventually(async () => receiver.deliveries.length >= issued)
  await checkWebhooks()
  const { body: webhookKeys } = await service.tenant.anonymous.get('/v1/webhooks/jwks')
  for (const delivery of receiver.deliveries) expect(await verify(delivery, webhookKeys)).toBe(true)
  const least = Math.min(made.compact.length, made.web.length, made.tokens.length)
  expect(least).toBeGreaterThanOrEqual(rotated.size)
})

/** Tasks that are done again and again until the first that fails. */
function startLoad(tasks: (() => Promise<void>)[]) {
  let stopped = false
  const turns = tasks.map(() => 0)
  const failures: unknown[] = []
  const loops = tasks.map(async (task, of) => {
    while (!stopped && failures.length === 0) {
      await task().catch((error: unknown) => failures.push(error))
      turns[of]!++
    }
  })
  return {
    /** Waits until each task has been done since, or one has failed: some are much slower than others. */
    async turnOfEach() {
      const before = [...turns]
      await eventually(async () => turns.every((turn, of) => turn > before[of]!) || failures.length > 0)
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
      if (failures.length > 0) throw failures[0]
    },
  }
}

const didNow = () => fetchDidDocument(twoDoors()[1].tenant.anonymous)

async function collect(configurationId: string): Promise<never> {
  const [{ tenant, origin }] = twoDoors()
  const wallet = await newWallet(tenant, origin, (await newOffer(tenant, [configurationId])).uri)
  const { status, body } = await wallet.collect()
  expect([status, body]).toEqual([200, body])
  return body.credentials[0].credential as never
}

async function useNewToken(): Promise<string> {
  const [one, other] = twoDoors()
  const { host, clientId, clientSecret } = one.tenant
  const token = await tokenOf(one.origin, host, clientId, clientSecret)
  const { body: jwks } = await other.tenant.anonymous.get('/v1/openid/jwks')
  await jwtVerify(token, createLocalJWKSet(jwks))
  expect(await createApi(other.origin, host, token).get('/v1/keys')).toMatchObject({ status: 200 })
  return token
}

async function sendEncrypted(configurationId: string): Promise<void> {
  const [one, other] = twoDoors()
  const wallet = await newWallet(one.tenant, one.origin, (await newOffer(one.tenant, [configurationId])).uri)
  const { body: metadata } = await one.tenant.anonymous.get('/.well-known/openid-credential-issuer')
  const [jwk] = metadata.credential_request_encryption.jwks.keys
  const { access_token: token } = (await wallet.redeem()).body
  const request = { credential_configuration_id: configurationId, proofs: { jwt: [await wallet.proof()] } }
  const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify(request)))
    .setProtectedHeader({ alg: jwk.alg, kid: jwk.kid, enc: 'A128GCM' })
    .encrypt(await importJWK(jwk))
  const api = createApi(other.origin, other.tenant.host, token)
  const { status, body } = await api.post('/v1/openid/credential', jwe, { 'content-type': 'application/jwt' })
  expect([status, body]).toEqual([200, body])
}

let checked = 0
/** Those that came since, by the keys that are published now. */
async function checkWebhooks(): Promise<void> {
  const arrived = receiver.deliveries.slice(checked)
  checked += arrived.length
  const { body: jwks } = await twoDoors()[0].tenant.anonymous.get('/v1/webhooks/jwks')
  for (const delivery of arrived) expect(await verify(delivery, jwks)).toBe(true)
}
