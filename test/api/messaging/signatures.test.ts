import { generateKeyPairSync, sign } from 'node:crypto'
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyMessage } from '../../../api/messaging/messages/verify.ts'
import { didKeyOf, resolveDidKey } from '../../../shared/formats/did-key.ts'
import { parsePublicJwk } from '../../../shared/formats/jwk.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { newDidKey, ownKeys } from '../../harness/parties.ts'
import { foreignIssuer } from '../../harness/verifying.ts'
import { jwkOf } from '../../wallets/ecdh-1pu.ts'

let service: SharedService
let other: TestTenant
beforeAll(async () => {
  service = await joinService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const signIn = ({ operator }: TestTenant, body: object) => operator.post('/v1/messaging/sign', body)
const verify = (jws: unknown) => other.operator.post('/v1/messaging/verify', { jws })

test('a signature is a compact JWS that an independent library verifies', async () => {
  const { did, authentication } = await newDidKey(service)
  for (const didUrl of [did, authentication]) {
    const { status, body: jws, headers } = await signIn(service, { didUrl, payload: { msg: 'Kia ora' } })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: expect.stringContaining('json') })
    const { publicJwk } = resolveDidKey(did)
    const outside = await compactVerify(jws, await importJWK(publicJwk as JWK, 'EdDSA'))
    expect(outside.protectedHeader).toEqual({ alg: 'EdDSA', kid: authentication })
    expect(JSON.parse(Buffer.from(outside.payload).toString())).toEqual({ msg: 'Kia ora' })
    expect(await verify(jws)).toMatchObject({
      status: 200,
      body: { verified: true, payload: { msg: 'Kia ora' }, didUrl: authentication, did, signerPublicJwk: publicJwk },
    })
  }
})

test('a signer whose host does not answer before the deadline causes 503 without a verdict', async () => {
  const signer = await foreignIssuer(({ path }) => (path.startsWith('/slow') ? { delayMs: 60_000 } : undefined))
  const header = { alg: 'EdDSA', kid: `${signer.did}:slow#ed` }
  const jws = await new CompactSign(Buffer.from('{}')).setProtectedHeader(header).sign(signer.edKeys.privateKey)
  const verifying = { deps: service.deps, deadlineAt: performance.now() + 500 }
  const retryable = { problem: 'service_unavailable', retryAfterSeconds: 5 }
  await expect(verifyMessage(verifying, jws)).rejects.toMatchObject(retryable)
})

test("the tenant's own did:web signs, and its document verifies the signature", async () => {
  const { body: jws } = await signIn(service, { didUrl: service.did, payload: { iss: service.did } })
  const { authentication } = await ownKeys(service)
  const { body } = await verify(jws)
  expect(body).toMatchObject({ verified: true, did: service.did, signerPublicJwk: { kty: 'OKP', crv: 'Ed25519' } })
  expect(authentication).toContain(body.didUrl)
})

test('a tenant cannot sign with a key of another tenant or with a key that does not authenticate', async () => {
  const [theirs, mine] = [await newDidKey(other), await newDidKey(service)]
  const { authentication } = await ownKeys(service)
  for (const didUrl of [theirs.did, theirs.authentication, other.did, mine.keyAgreement, authentication[0]!]) {
    const answer = await signIn(service, { didUrl, payload: {} })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    expect(answer.body.details).toMatchObject([{ param: 'didUrl', value: didUrl, location: 'body' }])
  }
})

const curves = { EdDSA: 'Ed25519', ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' } as const
const pairOf = (alg: keyof typeof curves) =>
  alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curves[alg] })

/** An external signer with a did:key. */
function signer(alg: keyof typeof curves) {
  const pair = pairOf(alg)
  const did = didKeyOf(parsePublicJwk(jwkOf(pair.publicKey)))
  const kid = `${did}#${did.slice('did:key:'.length)}`
  const signed = (payload: unknown, header: object = {}) =>
    new CompactSign(Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)))
      .setProtectedHeader({ alg, kid, ...header })
      .sign(pair.privateKey)
  return { did, kid, signed, privateKey: pair.privateKey }
}

test.each(Object.keys(curves) as (keyof typeof curves)[])(
  'a JWS with %s of an external signer verifies',
  async (alg) => {
    const { did, kid, signed } = signer(alg)
    const jws = await signed({ iss: did })
    expect(await verify(jws)).toMatchObject({ status: 200, body: { verified: true, did, didUrl: kid } })
    const tampered = jws.replace(/\.[^.]+\./, `.${Buffer.from('{"iss":"x"}').toString('base64url')}.`)
    const { body } = await verify(tampered)
    expect(body).toEqual({
      verified: false,
      did,
      didUrl: kid,
      signerPublicJwk: expect.objectContaining({ crv: curves[alg] }),
    })
    const otherSigner = signer(alg)
    expect((await verify(await otherSigner.signed({}, { kid }))).body).toMatchObject({ verified: false })
  },
)

test('the issuer in the payload must be the DID or the id of the key', async () => {
  const [alice, mallory] = [signer('EdDSA'), signer('ES256')]
  for (const [iss, verified] of [
    [alice.did, true],
    [alice.kid, true],
    [mallory.did, false],
    [`${alice.did}#other`, false],
    [1, false],
  ]) {
    expect(await verify(await alice.signed({ iss }))).toMatchObject({
      status: 200,
      body: { verified, payload: { iss } },
    })
  }
})

test('a JWS of an unresolvable signer is not verified', async () => {
  const { signed } = signer('EdDSA')
  const jws = await signed({ msg: 1 }, { kid: 'did:web:unknown.invalid#key' })
  expect((await verify(jws)).body).toEqual({
    verified: false,
    didUrl: 'did:web:unknown.invalid#key',
    did: 'did:web:unknown.invalid',
  })
})

test('the algorithm must be that of the key', async () => {
  const { kid, privateKey } = signer('ES384')
  const es256 = signer('ES256')
  expect((await verify(await es256.signed({}, { kid }))).body).toMatchObject({ verified: false })
  // Signed with ES384, but declared as ES256.
  const input = [{ alg: 'ES256', kid }, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha384', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  expect((await verify(`${input}.${signature.toString('base64url')}`)).body).toMatchObject({ verified: false })
})

test('a text that is not a JWS with a DID key is refused', async () => {
  const { kid, signed } = signer('EdDSA')
  const good = await signed({ msg: 1 })
  const [head = '', body = '', end = ''] = good.split('.')
  const withHeader = (header: unknown) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${body}.${end}`
  const none = [
    ...['', 'a', 'a.b', `${good}.x`, `${good}=`, `${head}.${body}.`.replace(head, '!'), `${head}.e30=.${end}`],
    ...[
      { alg: 'none', kid },
      { alg: 'HS256', kid },
      { alg: 'EdDSA' },
      { alg: 'EdDSA', kid: 'key-1' },
      null,
      'text',
    ].map(withHeader),
    withHeader({ alg: 'EdDSA', kid, crit: ['b64'], b64: false }),
    await signed('no JSON'),
    await signed('{"a":1,"a":2}'),
  ]
  for (const jws of none) {
    const answer = await verify(jws)
    expect(answer).toMatchObject({ status: 400, body: { message: 'Validation Error', details: [{ param: 'jws' }] } })
  }
})

test.each([[null], ['1'], [1e15]])('a key that signed the expiry %j stays published', async (exp) => {
  const tenant = await service.addTenant()
  await signIn(tenant, { didUrl: tenant.did, payload: { exp } })
  await tenant.operator.post('/v1/keys/credentials/rotate')
  const { data } = (await tenant.operator.get('/v1/keys')).body
  const replaced = data.filter(({ retiredAt }: { retiredAt: string | null }) => retiredAt !== null)
  const { publishedUntil } = replaced.find(({ algorithm }: { algorithm: string }) => algorithm === 'Ed25519')
  expect(publishedUntil).toBeNull()
})
