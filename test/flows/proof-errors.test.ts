import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { expectOauthError } from '../harness/oauth-error.ts'
import { makeProof, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let other: TestTenant
let lenient: TestTenant
const configurations = new Map<TestTenant, string>()
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  lenient = await service.addTenant({ profile: 'lenient' })
  for (const tenant of [service, other, lenient]) configurations.set(tenant, await compactConfiguration(tenant))
})
afterAll(() => service[Symbol.asyncDispose]())

const key = await newHolderKey()
const secondKey = await newHolderKey('EdDSA')
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const x25519 = generateKeyPairSync('x25519')
const ownKey = createPrivateKey({ key: key.privateJwk as JsonWebKey, format: 'jwk' })

/** A wallet with its token and a nonce that it has not used. */
async function redeemed(tenant: TestTenant = service, form: Record<string, string> = {}, holderKey = key) {
  const offer = await newOffer(tenant, [configurations.get(tenant)!])
  const wallet = await newWallet(tenant, service.origin, offer.uri, holderKey)
  await wallet.redeem(form)
  const nonce = await wallet.nonce()
  const proof = (payload: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    makeProof({ issuer: tenant.baseUrl, key: holderKey, nonce, payload, header })
  const send = (...jwt: unknown[]) => wallet.requestCredential({ proofs: { jwt } })
  return { wallet, nonce, proof, send }
}
type Redeemed = Awaited<ReturnType<typeof redeemed>>

const now = () => Math.floor(Date.now() / 1000)
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A JWS by hand, for what libraries refuse to make. */
function jws(header: object, payload: object, signer: (input: Buffer) => Buffer = () => Buffer.alloc(64)): string {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${signer(Buffer.from(input)).toString('base64url')}`
}
const ecdsa = (privateKey: KeyObject, hash: string) => (input: Buffer) =>
  sign(hash, input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
const jwkOf = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ format: 'jwk' })

const typ = 'openid4vci-proof+jwt'
const claims = (nonce: string) => ({ aud: service.baseUrl, iat: now(), nonce })

describe('a jwt proof is refused, and its nonce stays usable, when', () => {
  type Make = (redeemed: Redeemed) => Promise<unknown> | unknown
  const by =
    (header: object, signer?: (input: Buffer) => Buffer): Make =>
    ({ nonce }) =>
      jws({ typ, ...header }, claims(nonce), signer)
  const kid = `${key.did}#${key.did.slice('did:key:'.length)}`
  const faults: Record<string, Make> = {
    'typ is missing': ({ proof }) => proof({}, { typ: undefined }),
    'typ is another': ({ proof }) => proof({}, { typ: 'JWT' }),
    'it is not signed (alg none)': by({ alg: 'none', jwk: key.publicJwk }, () => Buffer.alloc(0)),
    'it says none and is signed': by({ alg: 'none', jwk: key.publicJwk }),
    'alg is symmetric': by({ alg: 'HS256', jwk: key.publicJwk }),
    'alg is RS256': by({ alg: 'RS256', jwk: jwkOf(rsa) }, (input) => sign('sha256', input, rsa.privateKey)),
    'alg is ES384, which is not advertised': by({ alg: 'ES384', jwk: jwkOf(p384) }, ecdsa(p384.privateKey, 'sha384')),
    'alg does not go with the key': by({ alg: 'EdDSA', jwk: key.publicJwk }),
    'the curve does not go with alg': by({ alg: 'ES256', jwk: jwkOf(p384) }, ecdsa(p384.privateKey, 'sha256')),
    'the key cannot sign': by({ alg: 'EdDSA', jwk: jwkOf(x25519) }),
    'it names no key': ({ proof }) => proof({}, { jwk: undefined }),
    'it names two keys': ({ proof }) => proof({}, { kid }),
    'it brings a certificate beside its key': ({ proof }) => proof({}, { x5c: ['MIIB'] }),
    'it brings a certificate alone': ({ proof }) => proof({}, { jwk: undefined, x5c: ['MIIB'] }),
    'the jwk is private': ({ proof }) => proof({}, { jwk: key.privateJwk }),
    'the jwk is no object': by({ alg: 'ES256', jwk: 'key' }),
    'the point is not on the curve': by({ alg: 'ES256', jwk: { ...key.publicJwk, y: key.publicJwk.x } }),
    'the kid is no DID': ({ proof }) => proof({}, { jwk: undefined, kid: '1' }),
    'the kid is of a DID method that is not taken': ({ proof }) =>
      proof({}, { jwk: undefined, kid: 'did:web:wallet.example#1' }),
    'the kid names another key than its DID': ({ proof }) =>
      proof({}, { jwk: undefined, kid: `${key.did}#${secondKey.did.slice('did:key:'.length)}` }),
    'the kid is of another key': ({ proof }) => proof({}, { jwk: undefined, kid: secondKey.did }),
    'it has a crit header': by(
      { alg: 'ES256', jwk: key.publicJwk, crit: ['exp'], exp: now() + 60 },
      ecdsa(ownKey, 'sha256'),
    ),
    'the signature is wrong': async ({ proof }) => {
      const [header, payload, signature = ''] = (await proof()).split('.')
      return [header, payload, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.')
    },
    'the signature is of another key': ({ nonce }) =>
      makeProof({ issuer: service.baseUrl, key: secondKey, nonce, header: { jwk: key.publicJwk, alg: 'EdDSA' } }),
    'the payload was changed': async ({ proof, nonce }) => {
      const [header, , signature] = (await proof()).split('.')
      return [header, encode({ ...claims(nonce), more: 1 }), signature].join('.')
    },
    'it has four parts': async ({ proof }) => `${await proof()}.x`,
    'it is no JWS': () => 'proof',
    'its payload is no object': by({ alg: 'ES256', jwk: key.publicJwk }),
    'aud is another issuer': ({ proof }) => proof({ aud: 'https://issuer.example' }),
    'aud is another tenant': ({ proof }) => proof({ aud: other.baseUrl }),
    'aud is missing': ({ proof }) => proof({ aud: undefined }),
    'aud is several': ({ proof }) => proof({ aud: [service.baseUrl, other.baseUrl] }),
    'iat is missing': ({ proof }) => proof({ iat: undefined }),
    'iat is no number': ({ proof }) => proof({ iat: String(now()) }),
    'iat is an hour ago': ({ proof }) => proof({ iat: now() - 3600 }),
    'iat is an hour ahead': ({ proof }) => proof({ iat: now() + 3600 }),
    'it has expired': ({ proof }) => proof({ exp: now() - 1 }),
    'it is not valid yet': ({ proof }) => proof({ nbf: now() + 3600 }),
    'it carries no nonce': ({ proof }) => proof({ nonce: undefined }),
    'its nonce is no text': ({ proof }) => proof({ nonce: 7 }),
  }
  for (const [name, make] of Object.entries(faults)) {
    test(`${name}: invalid_proof`, async () => {
      const all = await redeemed()
      expectOauthError(await all.send(await make(all)), 'invalid_proof')
      expect(await all.send(await all.proof())).toMatchObject({ status: 200 })
    })
  }

  test('another proof beside it is wrong: invalid_proof', async () => {
    const all = await redeemed()
    const second = await makeProof({ issuer: other.baseUrl, key: secondKey, nonce: all.nonce })
    expectOauthError(await all.send(await all.proof(), second), 'invalid_proof')
    expect(await all.send(await all.proof())).toMatchObject({ status: 200 })
  })

  test('its iss is another client than that of the token: invalid_proof', async () => {
    const all = await redeemed(service, { client_id: 'wallet' })
    expectOauthError(await all.send(await all.proof({ iss: 'someone' })), 'invalid_proof')
    expect(await all.send(await all.proof({ iss: 'wallet' }))).toMatchObject({ status: 200 })
  })
})

describe('a jwt proof is accepted if', () => {
  const rows: Record<string, (redeemed: Redeemed) => Promise<string>> = {
    'iat is ten seconds ago': ({ proof }) => proof({ iat: now() - 10 }),
    'iat is ten seconds ahead': ({ proof }) => proof({ iat: now() + 10 }),
    'aud is an array of one': ({ proof }) => proof({ aud: [service.baseUrl] }),
    'an unknown client names itself': ({ proof }) => proof({ iss: 'did:example:wallet' }),
    'the kid is a DID without a fragment': ({ proof }) => proof({}, { jwk: undefined, kid: key.did }),
    'it holds header parameters and claims that are not known here': ({ proof }) =>
      proof({ vendor: { a: 1 }, sub: 'x' }, { vendor: 'x', cty: 'y' }),
    'it says when it ends': ({ proof }) => proof({ exp: now() + 60, nbf: now() - 60 }),
  }
  for (const [name, make] of Object.entries(rows)) {
    test(name, async () => {
      const all = await redeemed()
      expect(await all.send(await make(all))).toMatchObject({ status: 200 })
    })
  }
})

describe('a nonce', () => {
  const refused: Record<string, (redeemed: Redeemed) => Promise<string> | string> = {
    'that was made up': () => 'AAAA.AAAA',
    'that is empty': () => '',
    'of another tenant': async () => (await other.anonymous.post('/v1/openid/nonce')).body.c_nonce,
    'with something appended': ({ nonce }) => `${nonce}.x`,
    'with something inserted': ({ nonce }) => nonce.replace('.', 'A.'),
  }
  for (const [name, make] of Object.entries(refused)) {
    test(`${name} is refused: invalid_nonce`, async () => {
      const all = await redeemed()
      expectOauthError(await all.send(await all.proof({ nonce: await make(all) })), 'invalid_nonce')
      expect(await all.send(await all.proof())).toMatchObject({ status: 200 })
    })
  }

  test('is used by a success, also for another offer, and cannot be sent in another spelling', async () => {
    const [first, second] = [await redeemed(), await redeemed()]
    expect(await first.send(await first.proof())).toMatchObject({ status: 200 })
    for (const nonce of [first.nonce, `${first.nonce}.`, `${first.nonce}=`, ` ${first.nonce}`]) {
      expectOauthError(await second.send(await second.proof({ nonce })), 'invalid_nonce')
    }
    expect(await second.send(await second.proof())).toMatchObject({ status: 200 })
  })

  test('serves one of two concurrent requests', async () => {
    const [first, second] = [await redeemed(), await redeemed()]
    const answers = await Promise.all([
      first.send(await first.proof()),
      second.send(await second.proof({ nonce: first.nonce })),
    ])
    const [taken, late] = answers.sort((a, b) => a.status - b.status)
    expect(taken).toMatchObject({ status: 200 })
    expectOauthError(late!, 'invalid_nonce')
  })

  test('expires after five minutes', async () => {
    const early = await service.anonymous.post('/v1/openid/nonce')
    service.clock.advance(301_000)
    const all = await redeemed()
    expectOauthError(await all.send(await all.proof({ nonce: early.body.c_nonce })), 'invalid_nonce')
    expect(await all.send(await all.proof())).toMatchObject({ status: 200 })
    service.clock.advance(-301_000)
  })

  test('is requested by POST, with or without a body, and not cached', async () => {
    const asked = await Promise.all([
      service.anonymous.post('/v1/openid/nonce'),
      service.anonymous.post('/v1/openid/nonce', {}),
      service.anonymous.post('/v1/openid/nonce', new URLSearchParams({ a: 'b' })),
      service.anonymous.post('/v1/openid/nonce', 'x', { 'content-type': 'text/plain' }),
      service.operator.post('/v1/openid/nonce', ''),
    ])
    for (const answer of asked) {
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(answer.body).toEqual({ c_nonce: expect.stringMatching(/^[\w.-]{40,}$/) })
    }
    expect(new Set(asked.map(({ body }) => body.c_nonce)).size).toBe(asked.length)
    expect(await service.anonymous.get('/v1/openid/nonce')).toMatchObject({
      status: 405,
      headers: { allow: 'POST, OPTIONS' },
    })
  })
})

describe('in the lenient profile', () => {
  /** Keys of their own: proofs of one key and second are the same proof. */
  const lenientWallet = async () => redeemed(lenient, {}, await newHolderKey())

  test('no nonce endpoint is published, and a proof without a nonce is accepted', async () => {
    const metadata = await lenient.anonymous.get('/.well-known/openid-credential-issuer')
    expect(metadata.body).not.toHaveProperty('nonce_endpoint')
    const { proof, send } = await lenientWallet()
    expect(await send(await proof({ nonce: undefined }))).toMatchObject({ status: 200 })
  })

  test('a proof with a nonce of this issuer is accepted, and with another is not', async () => {
    const { proof, send } = await lenientWallet()
    expectOauthError(await send(await proof({ nonce: 'AAAA.AAAA' })), 'invalid_nonce')
    expect(await send(await proof())).toMatchObject({ status: 200 })
  })

  test('a proof can be used once, by its hash or its jti', async () => {
    const [first, second] = [await lenientWallet(), await lenientWallet()]
    const jwt = await first.proof({ nonce: undefined })
    expect(await first.send(jwt)).toMatchObject({ status: 200 })
    expectOauthError(await second.send(jwt), 'invalid_nonce')
    expect(await second.send(await second.proof({ nonce: undefined, jti: 'one' }))).toMatchObject({ status: 200 })

    const third = await redeemed(lenient, {}, second.wallet.key)
    expectOauthError(
      await third.send(await third.proof({ nonce: undefined, jti: 'one', exp: now() + 9 })),
      'invalid_nonce',
    )
    expect(await third.send(await third.proof({ nonce: undefined, jti: 'two' }))).toMatchObject({ status: 200 })
  })

  test('one of two wallets that send the same proof concurrently is served', async () => {
    const [first, second] = [await lenientWallet(), await lenientWallet()]
    const jwt = await first.proof({ nonce: undefined })
    const statuses = (await Promise.all([first.send(jwt), second.send(jwt)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400])
  })

  test('iat must still be close to the current time', async () => {
    const { proof, send } = await lenientWallet()
    expectOauthError(await send(await proof({ nonce: undefined, iat: now() - 3600 })), 'invalid_proof')
    expect(await send(await proof({ nonce: undefined, iat: now() - 10 }))).toMatchObject({ status: 200 })
  })
})
