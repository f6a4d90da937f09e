import { diffieHellman, generateKeyPairSync, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { compactVerify, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { hourMs } from '../../../shared/clock.ts'
import { keyParts } from '../../../shared/domain/identifiers/key-policy.ts'
import { resolveDidKey } from '../../../shared/formats/did-key.ts'
import { shortIdOf } from '../../../shared/ids.ts'
import { nameOfKey } from '../../../workers/signing/keys/pkcs11/key-name.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { createTokenProvider } from '../../../workers/signing/keys/pkcs11/token-provider.ts'
import { parseKeyUri } from '../../../workers/signing/keys/pkcs11/token-uri.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, tokenOf } from '../../harness/harness.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'
import { issued } from '../../harness/verifying.ts'
import { startReceiver, verify } from '../../servers/receiver.ts'

const tags = { tags: 'pkcs11' as const }
let made: TestToken
let token: Token
let service: Service

beforeAll(async () => {
  made = makeToken()
  token = await made.open()
  const env = { KEY_PROVIDER: 'pkcs11', REQUIRE_HARDWARE_KEYS: keyParts.join(',') }
  service = await startService({ keyProviders: [createTokenProvider(token)], env })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})

test(
  'a service whose keys are all in a token issues credentials, and a deleted tenant leaves no key there',
  tags,
  async () => {
    const tenant = await service.addTenant({ createRoot: true, country: 'NZ' })
    const rows = await service.deps.db.read.select().from(keys).where(eq(keys.tenantId, tenant.id))
    expect(rows.map(({ provider }) => provider)).toEqual(rows.map(() => 'pkcs11'))
    expect(rows.filter(({ purpose }) => purpose === 'certificate')).toHaveLength(3)
    for (const { id, purpose, handle } of rows) {
      const name = parseKeyUri(handle!)
      expect([Buffer.from(name.id).toString(), name.label]).toEqual([id, `${shortIdOf(tenant.id)} ${purpose}`])
    }
    // The longest label. A YubiHSM 2 stores 40 bytes.
    const { label } = nameOfKey({ tenantId: tenant.id, purpose: 'client-assertion', id: 'id' })
    expect(Buffer.byteLength(label)).toBe(39)
    const { credential } = await issued(service, tenant, await compactConfiguration(tenant))
    const verified = await service.operator.post('/v2/credentials/compact/verify', { payload: credential })
    expect(verified.body).toMatchObject({ verified: true })

    const { id } = rows.find(({ purpose }) => purpose === 'encryption')!
    const agreement = await service.keyring.agreement(service.deps.db.read, tenant.id, id)
    const peer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const secret = diffieHellman({ privateKey: peer.privateKey, publicKey: agreement.publicKey })
    expect(await agreement.derive(peer.publicKey)).toEqual(secret)

    const handles = rows.flatMap(({ handle }) => handle ?? [])
    expect(await token.list()).toEqual(expect.arrayContaining(handles))
    expect(await service.platform.delete(`/v1/tenants/${tenant.id}`)).toMatchObject({ status: 204 })
    await eventually(async () => {
      const left = new Set(await token.list())
      return !handles.some((handle) => left.has(handle))
    })
  },
)

test('webhooks, messages and management tokens that a token signed are verified by other libraries', tags, async () => {
  await using receiver = await startReceiver()
  const webhook = { url: receiver.url, events: ['OpenIdCredentialIssued'] }
  const { body: made } = await service.operator.post('/v1/webhooks', webhook)
  await service.operator.post(`/v1/webhooks/${made.id}/test`)
  const [delivery] = await eventually(async () => receiver.deliveries.length > 0 && receiver.deliveries)
  expect(await verify(delivery!, (await service.anonymous.get('/v1/webhooks/jwks')).body)).toBe(true)

  const { did } = (await service.operator.post('/v1/dids', { method: 'key' })).body
  const signed = await service.operator.post('/v1/messaging/sign', { didUrl: did, payload: { msg: 'Kia ora' } })
  const key = await importJWK(resolveDidKey(did).publicJwk as JWK, 'EdDSA')
  const { payload } = await compactVerify(signed.body, key)
  expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ msg: 'Kia ora' })

  const { origin, host, clientId, clientSecret } = service
  const accessToken = await tokenOf(origin, host, clientId, clientSecret)
  const rows = await service.deps.db.read.select().from(keys).where(eq(keys.purpose, 'token'))
  const own = rows.find(({ id }) => id === decodeProtectedHeader(accessToken).kid)
  expect(own?.provider).toBe('pkcs11')
  await jwtVerify(accessToken, await importJWK(own?.publicJwk as JWK, 'EdDSA'), {
    currentDate: service.clock.now(),
  })
  const all = await service.deps.db.read.select().from(keys)
  expect(all.filter(({ wrappedPrivateKey }) => wrappedPrivateKey.length > 0)).toEqual([])
})

test(
  'a comparison finds a key in the token that no row names, and leaves keys of other programs alone',
  tags,
  async () => {
    const tenant = await service.addTenant()
    const algorithm = 'Ed25519' as const
    const label = `${shortIdOf(tenant.id)} webhook`
    const { handle } = await token.generateKeyPair({ algorithm, label, id: 'left' })
    // The label of older versions has the id of the key, too.
    const older = await token.generateKeyPair({ algorithm, label: `${tenant.id} webhook older`, id: 'older' })
    await token.generateKeyPair({ algorithm, label: `${tenant.id} webhook other`, id: 'another-id' })
    await token.generateKeyPair({ algorithm, label: `${shortIdOf(tenant.id)} mail`, id: 'mail' })
    await token.generateKeyPair({ algorithm, label: `${shortIdOf(randomUUID())} webhook`, id: 'other installation' })
    await token.generateKeyPair({ algorithm, label: 'ceremony 0011223344556677 root', id: 'root' })
    const compare = async () => {
      service.clock.advance(2 * hourMs)
      const { status, body } = await service.platform.post('/v1/keys/comparisons', {})
      expect(status).toBe(200)
      return body.data[0]
    }
    const { keys: rows, keysInProvider } = await compare()
    expect(keysInProvider).toBe(rows + 6)
    const { missing, unused } = await compare()
    expect([missing.count, unused.first.sort()]).toEqual([0, [handle, older.handle].sort()])
  },
)
