import { generateKeyPairSync } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ownDocuments } from '../../db/repos/identifiers/own-documents.ts'
import { DidError } from '../../shared/domain/identifiers/did-error.ts'
import { createDidResolver, type DidResolver } from '../../shared/domain/identifiers/resolver.ts'
import { Problem } from '../../shared/errors/errors.ts'
import type { DidRelationship } from '../../shared/formats/did-document-read.ts'
import { didKeyOf, multibaseKey } from '../../shared/formats/did-key.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import { createOutbound } from '../../shared/outbound/outbound.ts'
import { type Service, startService } from '../harness/harness.ts'
import { type ReceivedDelivery, type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'

const p256 = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
const p384 = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)
const ed25519 = publicJwk(generateKeyPairSync('ed25519').publicKey)
const x25519 = publicJwk(generateKeyPairSync('x25519').publicKey)
const base58 = (x: string) => base58btc.baseEncode(Buffer.from(x, 'base64url'))

/** A resolver of its own, with nothing known. */
function newResolver({ allowLoopback = true, now = () => new Date() } = {}): DidResolver {
  const outbound = createOutbound({ allowLoopback, resolve: async () => ['10.0.0.1'] })
  onTestFinished(() => outbound.close())
  return createDidResolver({ outbound, clock: { now }, findOwn: async () => undefined, allowLoopback })
}

/** A host on this machine with the DIDs at it. */
async function startHost(answer: (request: ReceivedDelivery) => ReceiverAnswer | Promise<ReceiverAnswer>) {
  const receiver = await startReceiver(answer)
  onTestFinished(() => receiver[Symbol.asyncDispose]())
  const did = `did:web:${new URL(receiver.url).host.replace(':', '%3A')}`
  return { did, asked: receiver.deliveries }
}

/** Time passes for timers only by the returned function. */
function controlTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return (ms: number) => vi.advanceTimersByTimeAsync(ms)
}

const json = (value: unknown): ReceiverAnswer => ({ body: JSON.stringify(value) })
const didOf = ({ headers }: ReceivedDelivery) => `did:web:${headers.host?.replace(':', '%3A')}`

/** Keys of all kinds that are written in documents, as others write them. */
function richDocument(did: string) {
  const method = (fragment: string, type: string, key: object) => ({
    id: `${did}#${fragment}`,
    type,
    controller: did,
    ...key,
  })
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    verificationMethod: [
      method('strange', 'EcdsaSecp256k1VerificationKey2019', { publicKeyBase58: 'abc' }),
      method('jwk', 'JsonWebKey2020', { publicKeyJwk: { ...p256, kid: 'jwk', use: 'sig' } }),
      method('private', 'JsonWebKey2020', { publicKeyJwk: { ...p256, d: p256.x } }),
      { ...method('', 'Ed25519VerificationKey2018', { publicKeyBase58: base58(ed25519.x) }), id: '#ed2018' },
      method('ed2020', 'Ed25519VerificationKey2020', { publicKeyMultibase: multibaseKey(ed25519) }),
      method('lying', 'Ed25519VerificationKey2020', { publicKeyMultibase: multibaseKey(p256) }),
      method('twice', 'Multikey', { publicKeyMultibase: multibaseKey(p384), publicKeyJwk: p256 }),
      method('multikey', 'Multikey', { publicKeyMultibase: multibaseKey(p384) }),
      method('r1', 'EcdsaSecp256r1VerificationKey2019', {
        publicKeyBase58: base58btc.baseEncode(base58btc.decode(multibaseKey(p256)).subarray(2)),
      }),
      method('x2019', 'X25519KeyAgreementKey2019', { publicKeyBase58: base58(x25519.x) }),
    ],
    authentication: [`${did}#ed2018`],
    assertionMethod: [
      ...['did:web:other.example#1', `${did}#missing`, `${did}#strange`, '#jwk', `${did}#private`],
      ...['#ed2018', `${did}#ed2020`, `${did}#lying`, `${did}#twice`, `${did}#multikey`, `${did}#r1`],
      { id: `${did}#embedded`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: ed25519 },
    ],
    keyAgreement: [
      '#x2019',
      { id: `${did}#x2020`, type: 'X25519KeyAgreementKey2020', publicKeyMultibase: multibaseKey(x25519) },
    ],
    service: [{ id: '#inbox', type: 'DIDCommMessaging', serviceEndpoint: { uri: 'https://inbox.example' } }],
  }
}

/** Behind a hundred keys that cannot be read, or a hundred times the same one, is one that can be used. */
function crowded(did: string) {
  const method = (fragment: unknown, key: string) => ({ id: `#${fragment}`, type: 'Multikey', publicKeyMultibase: key })
  return {
    id: did,
    verificationMethod: [method('p', multibaseKey(p384)), method('x', multibaseKey(x25519))],
    keyAgreement: [...Array(100).fill('#p'), '#x'],
    authentication: [
      ...Array.from({ length: 100 }, (_, each) => method(each, 'z')),
      method('last', multibaseKey(ed25519)),
    ],
  }
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('it was resolved'),
    (error: unknown) => error,
  )
  if (error instanceof DidError) return error.reason
  if (error instanceof Problem) return error.problem
  throw error
}

describe('did:key and did:jwk are resolved without a request', () => {
  // W3C did:key, section 9.2, and the did:jwk specification, section 3.
  const jwkOfP256 =
    'did:jwk:eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6ImFjYklRaXVNczNpOF91c3pFakoydHBUdFJNNEVVM3l6OTFQSDZDZEgyVjAiLCJ5IjoiX0tjeUxqOXZXTXB0bm1LdG00NkdxRHo4d2Y3NEk1TEtncmwyR3pIM25TRSJ9'
  const jwkOfX25519 =
    'did:jwk:eyJrdHkiOiJPS1AiLCJjcnYiOiJYMjU1MTkiLCJ1c2UiOiJlbmMiLCJ4IjoiM3A3YmZYdDl3YlRUVzJIQzdPUTFOei1EUThoYmVHZE5yZngtRkctSUswOCJ9'
  const keyOfEd25519 = 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'
  test.each<[string, DidRelationship, string, object]>([
    [jwkOfP256, 'assertionMethod', '0', { crv: 'P-256', x: 'acbIQiuMs3i8_uszEjJ2tpTtRM4EU3yz91PH6CdH2V0' }],
    [jwkOfP256, 'keyAgreement', '0', { crv: 'P-256', y: '_KcyLj9vWMptnmKtm46GqDz8wf74I5LKgrl2GzH3nSE' }],
    [jwkOfX25519, 'keyAgreement', '0', { crv: 'X25519', x: '3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08' }],
    [keyOfEd25519, 'authentication', keyOfEd25519.slice(8), { crv: 'Ed25519' }],
    [keyOfEd25519, 'keyAgreement', 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc', { crv: 'X25519' }],
    [didKeyOf(p384), 'assertionMethod', didKeyOf(p384).slice(8), p384],
  ])('%s for %s', async (did, relationship, fragment, jwk) => {
    const resolver = newResolver()
    const key = await resolver.keyOf(did, relationship)
    expect(key).toMatchObject({ did, keyId: `${did}#${fragment}`, publicJwk: jwk })
    expect(await resolver.keyOf(`${did}#${fragment}`, relationship)).toEqual(key)
    expect(await reasonOf(resolver.keyOf(`${did}#other`, relationship))).toBe('no_such_key')
    expect(await resolver.resolve(did)).toMatchObject({ id: did })
  })

  const didJwk = (jwk: unknown) => `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
  test.each<[string, string, DidRelationship]>([
    ['one for encryption that is to sign', jwkOfX25519, 'assertionMethod'],
    ['one for signatures that is to encrypt', didJwk({ ...p256, use: 'sig' }), 'keyAgreement'],
    ['one for encryption by its word', didJwk({ ...p256, use: 'enc' }), 'authentication'],
    ['Ed25519 that is to encrypt', didJwk(ed25519), 'keyAgreement'],
    ['a key of an unsupported kind', `did:key:${'zUC7'}${'1'.repeat(10)}`, 'assertionMethod'],
    ['a private key', didJwk({ ...p256, d: p256.x }), 'assertionMethod'],
    ['no key', didJwk([]), 'assertionMethod'],
    ['no JSON', 'did:jwk:AAAA', 'assertionMethod'],
    ['an unknown use', didJwk({ ...p256, use: 'both' }), 'assertionMethod'],
    ['an unsupported method', 'did:example:123', 'assertionMethod'],
    ['no DID', 'https://issuer.example', 'assertionMethod'],
    ['a DID URL with a path', `${jwkOfP256}/path`, 'assertionMethod'],
    ['a DID that is longer than any', `did:key:z${'1'.repeat(100_000)}`, 'assertionMethod'],
  ])('but for %s', async (_, did, relationship) => {
    expect(await reasonOf(newResolver().keyOf(did, relationship))).toMatch(/^(no_such_key|invalid_did)$/)
  })
})

describe('a did:web', () => {
  test('gives the first key for a purpose, and any key that a DID URL names, in each key format', async () => {
    const { did } = await startHost((request) => json(richDocument(didOf(request))))
    const resolver = newResolver()
    const key = (fragment: string, relationship: DidRelationship = 'assertionMethod') =>
      resolver.keyOf(`${did}${fragment}`, relationship)

    expect(await key('')).toEqual({ did, keyId: `${did}#jwk`, publicJwk: p256 })
    expect(await key('', 'authentication')).toEqual({ did, keyId: `${did}#ed2018`, publicJwk: ed25519 })
    expect(await key('', 'keyAgreement')).toEqual({ did, keyId: `${did}#x2019`, publicJwk: x25519 })
    expect(await key('#x2020', 'keyAgreement')).toMatchObject({ publicJwk: x25519 })
    for (const fragment of ['#ed2018', '#ed2020', '#embedded']) {
      expect(await key(fragment)).toEqual({ did, keyId: `${did}${fragment}`, publicJwk: ed25519 })
    }
    expect(await key('#multikey')).toMatchObject({ publicJwk: p384 })
    expect(await key('#r1')).toMatchObject({ publicJwk: p256 })
    expect(await resolver.keyOf(did, 'assertionMethod', { curves: ['Ed25519'] })).toMatchObject({ publicJwk: ed25519 })
    for (const fragment of ['#missing', '#strange', '#private', '#lying', '#twice', '#none', '#x2019']) {
      expect(await reasonOf(key(fragment))).toBe('no_such_key')
    }
    expect((await resolver.resolve(did)).service).toEqual(richDocument(did).service)
  })

  test('is searched for a key among at most a hundred, because each costs time to read', async () => {
    const { did } = await startHost((request) => json(crowded(didOf(request))))
    const resolver = newResolver()
    const curves = ['X25519'] as const
    expect(await reasonOf(resolver.keyOf(did, 'keyAgreement', { curves }))).toBe('no_such_key')
    expect(await reasonOf(resolver.keyOf(did, 'authentication'))).toBe('no_such_key')
    expect(await resolver.keyOf(`${did}#x`, 'keyAgreement', { curves })).toMatchObject({ publicJwk: x25519 })
    expect(await resolver.keyOf(`${did}#last`, 'authentication')).toMatchObject({ publicJwk: ed25519 })
  })

  test('with a path is fetched at its path', async () => {
    const { did, asked } = await startHost((request) => json({ id: `${didOf(request)}:people:ada` }))
    expect(await newResolver().resolve(`${did}:people:ada`)).toEqual({ id: `${did}:people:ada` })
    expect(asked.map(({ path }) => path)).toEqual(['/people/ada/did.json'])
  })

  const bad: Record<string, [reason: string, (did: string) => ReceiverAnswer]> = {
    'is not there': ['unreachable', (did) => ({ ...json({ id: did }), status: 404 })],
    redirects: ['unreachable', (did) => ({ ...json({ id: did }), status: 302, headers: { location: '/other.json' } })],
    'is of another DID': ['invalid_document', () => json({ id: 'did:web:other.example' })],
    'is too large': ['unreachable', (did) => json({ id: did, more: 'x'.repeat(100_000) })],
    'is no JSON': ['invalid_document', () => ({ body: '<html>' })],
    'is no object': ['invalid_document', (did) => json([did])],
    'is nested deeply': [
      'invalid_document',
      (did) => ({ body: `{"id":"${did}","a":${'['.repeat(4e4)}${']'.repeat(4e4)}}` }),
    ],
    'has malformed keys': ['invalid_document', (did) => json({ id: did, verificationMethod: [{ id: 1 }] })],
    'has no list of keys': ['invalid_document', (did) => json({ id: did, assertionMethod: '#1' })],
  }
  test.each(Object.entries(bad))(
    'whose document %s is refused and not fetched again at once',
    async (_, [reason, answer]) => {
      const { did, asked } = await startHost((request) => answer(didOf(request)))
      const resolver = newResolver()
      expect(await reasonOf(resolver.keyOf(`${did}#1`, 'assertionMethod'))).toBe(reason)
      expect(await reasonOf(resolver.resolve(did))).toBe(reason)
      expect(asked).toHaveLength(1)
    },
  )

  test.each([
    ['for a minute', 0],
    ['for a minute, also if the clock was set back by an hour', 3_600_000],
  ])('is cached %s, and concurrent requests share one fetch', async (_, backMs) => {
    let now = Date.now()
    const { did, asked } = await startHost((request) => ({ ...json({ id: didOf(request) }), delayMs: 50 }))
    const resolver = newResolver({ now: () => new Date(now) })
    await Promise.all(Array.from({ length: 10 }, () => resolver.resolve(did)))
    now -= backMs
    await resolver.resolve(did)
    now += 59_000
    await resolver.resolve(did)
    expect(asked).toHaveLength(1)
    now += 2_000
    await resolver.resolve(did)
    expect(asked).toHaveLength(2)
  })

  test('is fetched again if it lacks a key, and the cached keys stay valid in the meantime', async () => {
    let now = Date.now()
    let fragments = ['1']
    let status = 200
    const { did, asked } = await startHost((request) => {
      const id = didOf(request)
      const publicKeyJwk = publicJwk(generateKeyPairSync('ed25519').publicKey)
      const key = { type: 'JsonWebKey2020', controller: id, publicKeyJwk }
      const methods = fragments.map((fragment) => ({ id: `${id}#${fragment}`, ...key }))
      return { ...json({ id, assertionMethod: methods }), status }
    })
    const resolver = newResolver({ now: () => new Date(now) })
    await resolver.keyOf(`${did}#1`, 'assertionMethod')
    fragments = ['2', '1']
    expect(await reasonOf(resolver.keyOf(`${did}#2`, 'assertionMethod'))).toBe('no_such_key')
    now += 6_000
    expect(await resolver.keyOf(`${did}#2`, 'assertionMethod')).toMatchObject({ keyId: `${did}#2` })
    expect(asked).toHaveLength(2)
    now += 6_000
    status = 500
    expect(await reasonOf(resolver.keyOf(`${did}#3`, 'assertionMethod'))).toBe('unreachable')
    expect(await resolver.keyOf(`${did}#1`, 'assertionMethod')).toMatchObject({ keyId: `${did}#1` })
  })

  test('that could not be fetched is fetched again after some seconds', async () => {
    let now = Date.now()
    let status = 500
    const { did } = await startHost((request) => ({ ...json({ id: didOf(request) }), status }))
    const resolver = newResolver({ now: () => new Date(now) })
    expect(await reasonOf(resolver.resolve(did))).toBe('unreachable')
    status = 200
    expect(await reasonOf(resolver.resolve(did))).toBe('unreachable')
    now += 6_000
    expect(await resolver.resolve(did)).toEqual({ id: did })
  })

  test('of a host that does not answer fails at the deadline of the request and does not delay other hosts', async () => {
    const passes = controlTimers()
    const slow = await startHost(() => new Promise(() => undefined))
    const quick = await startHost((request) => json({ id: didOf(request) }))
    const resolver = newResolver()
    const waiting = Array.from({ length: 20 }, (_, each) =>
      reasonOf(resolver.resolve(`${slow.did}:${each}`, { deadlineAt: performance.now() + 1_000 })),
    )
    expect(await resolver.resolve(quick.did)).toEqual({ id: quick.did })
    await expect.poll(() => slow.asked.length).toBe(20)
    await passes(1_000)
    expect(await Promise.all(waiting)).toEqual(Array(20).fill('service_unavailable'))
    // All its slots are taken, so one more request waits and is not sent.
    const more = reasonOf(resolver.resolve(`${slow.did}:more`))
    await passes(1_000)
    expect(await more).toBe('service_unavailable')
    expect(slow.asked).toHaveLength(20)
  })

  test('of a host with very many requests is fetched when a slot of the host is free', async () => {
    controlTimers() // A request waits a second for a slot.
    const { promise: isFull, resolve: answer } = Promise.withResolvers<void>()
    const { did, asked } = await startHost(async ({ path, ...request }) => {
      await isFull
      return json({ id: `${didOf({ path, ...request })}:${path.split('/')[1]}` })
    })
    const resolver = newResolver()
    const all = Array.from({ length: 70 }, (_, each) => `${did}:${each}`)
    const documents = Promise.all(all.map((each) => resolver.resolve(each)))
    await expect.poll(() => asked.length).toBe(20)
    answer()
    expect((await documents).map(({ id }) => id)).toEqual(all)
    expect(asked).toHaveLength(70)
  })

  test('of a host with too many waiting requests is refused at once', async () => {
    const { did } = await startHost(() => ({ delayMs: 60_000 }))
    const resolver = newResolver()
    const waiting = Array.from({ length: 220 }, (_, each) => resolver.resolve(`${did}:${each}`))
    for (const each of waiting) each.catch(() => undefined)
    const first = await Promise.race([resolver.resolve(`${did}:more`).catch(() => 'more'), ...waiting])
    expect(first).toBe('more')
  })

  test('at a private address, or in production on this machine, is not fetched', async () => {
    const { did, asked } = await startHost((request) => json({ id: didOf(request) }))
    const strict = newResolver({ allowLoopback: false })
    expect(await reasonOf(newResolver().resolve('did:web:internal.example.com'))).toBe('unreachable')
    expect(await reasonOf(strict.resolve(did))).toBe('unreachable')
    expect(await reasonOf(strict.resolve('did:web:localhost'))).toBe('unreachable')
    expect(await reasonOf(strict.resolve('did:web:169.254.169.254'))).toBe('unreachable')
    expect(asked).toEqual([])
  })
})

describe('a did:web of this service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ roles: ['signing'] })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('is answered from the database, whether it exists or not', async () => {
    const tenant = await service.addTenant()
    const { body } = await tenant.anonymous.get('/.well-known/did.json')
    const { config, clock } = service.deps
    const outbound = { request: () => Promise.reject(new Error('it called out')), close: async () => {} }
    const findOwn = ownDocuments(service.deps)
    const resolver = createDidResolver({ outbound, clock, findOwn, allowLoopback: true })

    const { id, verificationMethod, authentication, assertionMethod, keyAgreement } = body
    const document = { id, verificationMethod, authentication, assertionMethod, keyAgreement }
    expect(await resolver.resolve(tenant.did)).toEqual(document)
    expect(await service.deps.dids.resolve(tenant.did)).toEqual(document)
    expect(await resolver.keyOf(tenant.did, 'keyAgreement')).toMatchObject({ publicJwk: { crv: 'X25519' } })
    const gone = `did:web:gone.${config.platformDomain.replace(':', '%3A')}`
    expect(await reasonOf(resolver.resolve(gone))).toBe('unreachable')
    expect(await reasonOf(resolver.resolve(`${tenant.did}:path`))).toBe('unreachable')
  })
})
