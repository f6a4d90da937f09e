import { generateKeyPairSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { flattenedDecrypt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { retireKeys, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import { keys } from '../../../db/tables/identifiers/keys.ts'
import { plusMs } from '../../../shared/clock.ts'
import { didKeyOf, resolveDidKey } from '../../../shared/formats/did-key.ts'
import { parsePublicJwk } from '../../../shared/formats/jwk.ts'
import { connectPatient, type RedisConnection } from '../../../shared/jobs/redis.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { agreementKeyOfDocument, newDidKey, outsider, ownKeys } from '../../harness/parties.ts'
import { type Recipient, startRecipient } from '../../servers/recipient.ts'
import { jwkOf, type OutsideMessage, openOutside, sealOutside } from '../../wallets/ecdh-1pu.ts'

let service: Service
let other: TestTenant
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const payload = {
  id: 'd1c2-1',
  type: 'https://example.org/protocols/hello/1.0/greeting',
  created_time: 1_800_000_000,
  body: { greeting: 'Kia ora – tēnā koe' },
  thread: ['kept as it is'],
}
const failed = { code: 'BadRequest', message: 'Verification failed' }

const encrypt = ({ operator }: TestTenant, body: object) => operator.post('/v1/messaging/encrypt', body)
const decrypt = ({ operator }: TestTenant, jwe: unknown) => operator.post('/v1/messaging/decrypt', { jwe })

describe('encrypt', () => {
  test('makes a message that independent code opens, with the key ids in its headers', async () => {
    const [bob, carol] = [outsider(), outsider()]
    const { keyAgreement } = await ownKeys(service)
    const recipientDidUrls = [bob.didUrl, carol.did]
    const { status, body } = await encrypt(service, { senderDidUrl: service.did, recipientDidUrls, payload })
    expect(status).toBe(200)
    const { jwe } = body as { jwe: OutsideMessage }
    expect(JSON.parse(Buffer.from(jwe.protected, 'base64url').toString())).toEqual({
      typ: 'application/didcomm-encrypted+json',
      enc: 'XC20P',
    })
    expect(Buffer.from(jwe.iv, 'base64url')).toHaveLength(24)
    expect(jwe.recipients.map(({ header }) => header)).toEqual(
      [bob, carol].map(({ didUrl }) => ({
        alg: 'ECDH-1PU+A256KW',
        kid: didUrl,
        epk: { kty: 'OKP', crv: 'X25519', x: expect.any(String) },
        skid: keyAgreement,
        apu: Buffer.from(keyAgreement).toString('base64url'),
        apv: Buffer.from(didUrl).toString('base64url'),
      })),
    )
    for (const { encrypted_key, encryption_key } of jwe.recipients) expect(encryption_key).toBe(encrypted_key)
    const sender = await agreementKeyOfDocument(service)
    for (const each of [bob, carol]) expect(JSON.parse(openOutside(jwe, each, sender))).toEqual(payload)
  })

  test('puts no header name into both headers of a message, as other libraries require', async () => {
    const bob = outsider()
    const body = { senderDidUrl: service.did, recipientDidUrls: [bob.did], payload }
    const { recipients, ...jwe } = (await encrypt(service, body)).body.jwe
    const [{ header, encrypted_key }] = recipients
    const names = Object.keys(JSON.parse(Buffer.from(jwe.protected, 'base64url').toString()))
    expect(Object.keys(header).filter((name) => names.includes(name))).toEqual([])
    // jose checks the header names before it refuses the unknown algorithm.
    const opening = flattenedDecrypt({ ...jwe, header, encrypted_key }, bob.privateKey)
    await expect(opening).rejects.toMatchObject({ code: 'ERR_JOSE_NOT_SUPPORTED' })
  })

  test('uses a key once that is named by its id and by its DID', async () => {
    const bob = outsider()
    const recipientDidUrls = [bob.did, bob.didUrl, bob.did]
    const { body } = await encrypt(service, { senderDidUrl: service.did, recipientDidUrls, payload })
    expect(body.jwe.recipients.map((each: { header: { kid: string } }) => each.header.kid)).toEqual([bob.didUrl])
  })

  test('accepts an unpublished did:web of the tenant as sender and recipient', async () => {
    const { body: made } = await service.operator.post('/v1/dids', {
      method: 'web',
      options: { url: 'soon.example.org' },
    })
    const body = { senderDidUrl: made.did, recipientDidUrls: [made.did], payload }
    const { jwe } = (await encrypt(service, body)).body
    const [keyAgreement] = made.localMetadata.initialDidDocument.keyAgreement
    expect(await decrypt(service, jwe)).toMatchObject({
      status: 200,
      body: { payload, senderDidUrl: keyAgreement, recipientDidUrl: keyAgreement },
    })
  })

  test("accepts only the tenant's keys for key agreement as sender", async () => {
    const [theirs, mine] = [await newDidKey(other), await newDidKey(service)]
    const { body: bls } = await service.operator.post('/v1/dids', { method: 'key', options: { keyType: 'Bls12381G2' } })
    const wrong = [
      [theirs.did, 'Resource Not Found'],
      [theirs.keyAgreement, 'Resource Not Found'],
      [other.did, 'Resource Not Found'],
      [`${mine.did}#another`, 'Resource Not Found'],
      ['did:example:unknown', 'Resource Not Found'],
      [mine.authentication, 'Must name a key for key agreement (X25519)'],
      [bls.did, 'Must name a key for key agreement (X25519)'],
    ] as const
    for (const [senderDidUrl, msg] of wrong) {
      const answer = await encrypt(service, { senderDidUrl, recipientDidUrls: [service.did], payload })
      expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
      const see = msg === 'Resource Not Found' && { see: 'GET /v1/dids' }
      expect(answer.body.details).toEqual([
        { value: senderDidUrl, msg, param: 'senderDidUrl', location: 'body', ...see },
      ])
    }
  })

  test('names all recipients without a key', async () => {
    const zero = didKeyOf({ kty: 'OKP', crv: 'X25519', x: Buffer.alloc(32).toString('base64url') })
    const p256 = didKeyOf(parsePublicJwk(jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)))
    const useless = [p256, 'did:web:unknown.invalid', 'did:example:bob', `${other.did}#another`]
    // A duplicate is not named again.
    const recipientDidUrls = [outsider().did, ...useless, p256]
    const body = { senderDidUrl: service.did, recipientDidUrls, payload }
    const answer = await encrypt(service, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    const detail = (value: string, param: string) => ({ value, msg: expect.any(String), param, location: 'body' })
    expect(answer.body.details).toEqual(useless.map((value, index) => detail(value, `recipientDidUrls.${index + 1}`)))
    const weak = await encrypt(service, { ...body, recipientDidUrls: [outsider().did, zero] })
    expect(weak.body.details).toEqual([{ ...detail('', 'recipientDidUrls'), value: expect.stringContaining(zero) }])
  })

  test('treats a recipient as one without a key if the id of its key is invalid', async () => {
    const names = { long: 'x'.repeat(1_000), lines: 'a\nb' }
    const publicKeyMultibase = outsider().did.slice('did:key:'.length)
    await using host: Recipient = await startRecipient({
      document(name): object {
        const id = `${host.did(name)}#${names[name as keyof typeof names]}`
        return { id: host.did(name), keyAgreement: [{ id, type: 'Multikey', publicKeyMultibase }] }
      },
    })
    const recipientDidUrls = Object.keys(names).map(host.did)
    const answer = await encrypt(service, { senderDidUrl: service.did, recipientDidUrls, payload })
    expect(answer).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
    expect(answer.body.details).toMatchObject(
      recipientDidUrls.map((value, index) => ({ value, param: `recipientDidUrls.${index}` })),
    )
  })

  test.each<[string, object, string]>([
    ['no sender', { senderDidUrl: undefined }, 'senderDidUrl'],
    ['a sender that is not a DID', { senderDidUrl: 'alice' }, 'senderDidUrl'],
    ['no recipient', { recipientDidUrls: [] }, 'recipientDidUrls'],
    [
      'too many recipients',
      { recipientDidUrls: Array.from({ length: 51 }, () => 'did:example:bob') },
      'recipientDidUrls',
    ],
    ['a recipient that is not a DID', { recipientDidUrls: ['did:example:bob', 'bob'] }, 'recipientDidUrls.1'],
    ['no payload', { payload: undefined }, 'payload'],
    ['a payload without a body', { payload: { id: '1', type: 'hello' } }, 'payload.body'],
    ['a time as text', { payload: { ...payload, created_time: '2026-01-01' } }, 'payload.created_time'],
    [
      'a payload that grows too large',
      { payload: { ...payload, body: { numbers: Array(15_000).fill('1e20') } } },
      'payload',
    ],
  ])('refuses %s', async (_, more, param) => {
    const body = JSON.stringify({ senderDidUrl: service.did, recipientDidUrls: [service.did], payload, ...more })
    const answer = await service.operator.post('/v1/messaging/encrypt', body.replaceAll('"1e20"', '1e20'))
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    expect(answer.body.details).toEqual([expect.objectContaining({ param, location: 'body' })])
  })
})

describe('decrypt', () => {
  test('a message from another tenant is opened with sender and recipient', async () => {
    const [mine, theirs] = [await newDidKey(service), await newDidKey(other)]
    const body = { senderDidUrl: mine.keyAgreement, recipientDidUrls: [theirs.did, other.did], payload }
    const { jwe } = (await encrypt(service, body)).body
    const opened = await decrypt(other, jwe)
    expect(opened).toMatchObject({ status: 200, body: { payload, senderDidUrl: mine.keyAgreement } })
    expect(opened.body).toEqual({
      payload,
      senderDidUrl: mine.keyAgreement,
      senderMatches: true,
      senderPublicJwk: { kty: 'OKP', crv: 'X25519', x: expect.any(String) },
      recipientDidUrl: theirs.keyAgreement,
    })
    const second = await decrypt(other, { ...jwe, recipients: jwe.recipients.slice(1) })
    expect(second.body).toMatchObject({ payload, recipientDidUrl: (await ownKeys(other)).keyAgreement })
    // The message is for none of the sender's DIDs.
    expect(await decrypt(service, jwe)).toMatchObject({ status: 400, body: failed })
  })

  test.each(['XC20P', 'A256GCM', 'A256CBC-HS512'] as const)(
    'opens a message that independent code encrypted with %s',
    async (enc) => {
      const [alice, { keyAgreement }] = [outsider(), await ownKeys(service)]
      const recipient = { didUrl: keyAgreement, publicKey: await agreementKeyOfDocument(service) }
      const forms = [
        {},
        { named: 'encryption_key' },
        { headers: 'protected', apu: alice.didUrl, apv: 'anything' },
      ] as const
      for (const form of forms) {
        const jwe = sealOutside(JSON.stringify(payload), alice, [recipient], { enc, ...form })
        expect(await decrypt(service, jwe)).toMatchObject({
          status: 200,
          body: { payload, senderDidUrl: alice.didUrl, recipientDidUrl: keyAgreement },
        })
      }
      const byDid = sealOutside(JSON.stringify(payload), { ...alice, didUrl: alice.did }, [
        { ...recipient, didUrl: service.did },
      ])
      expect(await decrypt(service, byDid)).toMatchObject({ status: 200, body: { senderDidUrl: alice.didUrl } })
    },
  )

  describe('answers only that it failed for', () => {
    const mallory = outsider()
    let jwe: OutsideMessage
    beforeEach(async () => {
      const mine = await newDidKey(service)
      const body = { senderDidUrl: mine.did, recipientDidUrls: [other.did], payload }
      jwe = (await encrypt(service, body)).body.jwe
    })

    const flip = (value: string) => (value.startsWith('A') ? 'B' : 'A') + value.slice(1)
    const header = (more: object): OutsideMessage => ({
      ...jwe,
      recipients: jwe.recipients.map((each) => ({ ...each, header: { ...each.header, ...more } })),
    })
    const first = () => jwe.recipients[0]!

    test.each<[string, () => unknown]>([
      ['another protected header', () => ({ ...jwe, protected: Buffer.from('{"enc":"XC20P"}').toString('base64url') })],
      ['another ciphertext', () => ({ ...jwe, ciphertext: flip(jwe.ciphertext) })],
      ['another iv', () => ({ ...jwe, iv: flip(jwe.iv) })],
      ['another tag', () => ({ ...jwe, tag: flip(jwe.tag) })],
      ['a short tag', () => ({ ...jwe, tag: jwe.tag.slice(0, 8) })],
      ['another key', () => ({ ...jwe, recipients: [{ ...first(), encrypted_key: flip(first().encrypted_key!) }] })],
      ['another epk', () => header({ epk: jwkOf(mallory.publicKey) })],
      [
        'an epk of low order',
        () => header({ epk: { kty: 'OKP', crv: 'X25519', x: Buffer.alloc(32).toString('base64url') } }),
      ],
      ['another apu', () => header({ apu: 'QWxpY2U' })],
      ['another apv', () => header({ apv: undefined })],
      ['another sender', () => header({ skid: mallory.didUrl, apu: undefined })],
      ['a sender who cannot be resolved', () => header({ skid: 'did:web:unknown.invalid' })],
      ['a sender that is not a DID', () => header({ skid: 'alice' })],
      ['no sender', () => header({ skid: undefined })],
      ['another recipient', () => header({ kid: mallory.didUrl })],
      ['a recipient of another tenant', () => header({ kid: service.did })],
      ['a key that its DID does not have', () => header({ kid: `${other.did}#another` })],
      ['a recipient without a key id', () => header({ kid: undefined })],
      ['an unknown alg', () => header({ alg: 'ECDH-ES+A256KW' })],
      ['a recipient twice', () => ({ ...jwe, recipients: [first(), first()] })],
      ['too many recipients', () => ({ ...jwe, recipients: [first(), ...Array(50).fill({ header: {} })] })],
      ['no recipient', () => ({ ...jwe, recipients: [] })],
      ['a too large content', () => ({ ...jwe, ciphertext: 'A'.repeat(140_000) })],
    ])('%s', async (_, change) => {
      const { status, body } = await decrypt(other, change())
      expect({ status, body }).toEqual({ status: 400, body: failed })
    })

    test('content that is not an object', async () => {
      const recipient = { didUrl: other.did, publicKey: await agreementKeyOfDocument(other) }
      for (const text of ['"text"', '{"a":1', '{"a":1,"a":2}', '{"__proto__":{}}', '[]', '']) {
        expect(await decrypt(other, sealOutside(text, mallory, [recipient]))).toMatchObject({
          status: 400,
          body: failed,
        })
      }
    })

    test('a message whose sender claims another id for the same key', async () => {
      // A DID document of an attacker can contain the key of the real sender.
      const { senderPublicJwk } = (await decrypt(other, jwe)).body
      const claimed = didKeyOf(parsePublicJwk(senderPublicJwk))
      const skid = `${claimed}#${claimed.slice('did:key:'.length)}`
      expect(resolveDidKey(claimed).publicJwk).toEqual(senderPublicJwk)
      expect(await decrypt(other, header({ skid }))).toMatchObject({ status: 400, body: failed })
    })

    test('a deleted DID', async () => {
      const gone = await newDidKey(other)
      const body = { senderDidUrl: service.did, recipientDidUrls: [gone.did], payload }
      const { body: sent } = await encrypt(service, body)
      expect(await decrypt(other, sent.jwe)).toMatchObject({ status: 200 })
      await other.operator.delete(`/v1/dids/${encodeURIComponent(gone.did)}`)
      expect(await decrypt(other, sent.jwe)).toMatchObject({ status: 400, body: failed })
    })
  })

  test('a retired key opens messages while it is published, and encrypts and signs nothing', async () => {
    const tenant = await service.addTenant()
    const { keyAgreement } = await ownKeys(tenant)
    const body = { senderDidUrl: service.did, recipientDidUrls: [tenant.did], payload }
    const { jwe } = (await encrypt(service, body)).body
    const at = service.clock.now()
    await service.deps.db.tx((tx) => retireKeys(tx, tenant.id, tenantOwner, 'did', at, plusMs(at, 60_000)))
    expect(await decrypt(tenant, jwe)).toMatchObject({ status: 200, body: { recipientDidUrl: keyAgreement } })
    for (const senderDidUrl of [keyAgreement, tenant.did]) {
      const answer = await encrypt(tenant, { senderDidUrl, recipientDidUrls: [service.did], payload })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'senderDidUrl' }] } })
    }
    const signed = await tenant.operator.post('/v1/messaging/sign', { didUrl: tenant.did, payload: {} })
    expect(signed).toMatchObject({ status: 400, body: { details: [{ param: 'didUrl' }] } })
    // The signing process refuses too, if the key was retired after the web process read it.
    const late = { tenantId: tenant.id, senderDidUrl: keyAgreement, recipients: [], plaintext: '{}' }
    const outcome = service.deps.keys.request('encryptMessages', late, { deadlineAt: performance.now() + 60_000 })
    await expect(outcome).rejects.toMatchObject({ problem: 'bad_request' })
    await service.deps.db.tx((tx) => tx.update(keys).set({ publishedUntil: at }).where(eq(keys.tenantId, tenant.id)))
    expect(await decrypt(tenant, jwe)).toMatchObject({ status: 400, body: failed })
  })

  test('refuses a very long list of recipients without reading its items', async () => {
    const jwe = { protected: 'AA', recipients: Array(100_000).fill(1), ciphertext: 'AA', iv: 'AA', tag: 'AA' }
    const { status, body } = await decrypt(service, jwe)
    expect({ status, params: body.details.map(({ param }: { param: string }) => param) }).toEqual({
      status: 400,
      params: ['jwe.recipients'],
    })
  })

  test('names the fields of an invalid message', async () => {
    const answer = await decrypt(service, { protected: 1, recipients: [{ header: 'none' }] })
    expect(answer).toMatchObject({ status: 400, body: { message: 'Validation Error' } })
    const params = answer.body.details.map(({ param }: { param: string }) => param)
    expect(params).toEqual(['protected', 'recipients.0.header', 'ciphertext', 'iv', 'tag'].map((name) => `jwe.${name}`))
  })
})

test('Redis contains no plaintext of messages', {
  tags: 'redis',
}, async () => {
  await using inRedis = await startService({ queueIn: 'redis' })
  const { redisUrl, redisPrefix } = inRedis.deps.config
  const redis = connectPatient(redisUrl)
  const marker = 'only-for-its-recipient'
  const marked = { ...payload, body: { marker } }
  const { jwe } = (await encrypt(inRedis, { senderDidUrl: inRedis.did, recipientDidUrls: [inRedis.did], payload })).body
  await inRedis.workers.stop()
  try {
    const requests = [
      encrypt(inRedis, { senderDidUrl: inRedis.did, recipientDidUrls: [inRedis.did], payload: marked }),
      decrypt(inRedis, jwe),
      inRedis.operator.post('/v1/messaging/sign', { didUrl: inRedis.did, payload: marked }),
    ]
    const stored = () => everythingIn(redis, redisPrefix)
    const jobs = ['encryptMessages', 'decryptMessages', 'signMessages']
    const all = await eventually(() => stored().then((text) => jobs.every((name) => text.includes(name)) && text))
    expect(all).not.toContain(marker)
    expect(all).not.toContain(jwe.ciphertext)
    await inRedis.workers.start()
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await stored()).not.toContain(marker)
  } finally {
    await inRedis.workers.start()
    redis.disconnect()
  }
})

/** Reads all strings, lists and hashes, which jobs and requests consist of. */
async function everythingIn(redis: RedisConnection, prefix: string): Promise<string> {
  const values = (await redis.keys(`*${prefix}*`)).map(async (key) => {
    const type = await redis.type(key)
    if (type === 'hash') return redis.hgetall(key)
    return type === 'list' ? redis.lrange(key, 0, -1) : type === 'string' ? redis.get(key) : null
  })
  return JSON.stringify(await Promise.all(values))
}
