import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tenant } from '../../../api/access/subjects.ts'
import type { Deps } from '../../../api/deps.ts'
import {
  type AttestationCheck,
  type AttestedClient,
  attestedClientId,
  attestedKey,
  checkClientAttestation,
  hasClientAttestation,
} from '../../../api/issuance/proofs/client-attestation.ts'
import { verifyJwtProof } from '../../../api/issuance/proofs/jwt-proof.ts'
import type { KeyAttestation } from '../../../api/issuance/proofs/key-attestation.ts'
import { checkDpop } from '../../../api/proofs/dpop.ts'
import { readJws, readPublicJwk } from '../../../api/proofs/jws.ts'
import { newNonce, nonceExpiry, nonceMembers } from '../../../api/proofs/nonce.ts'
import { spentProofs } from '../../../db/tables/issuance/spent-proofs.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { dpopChallenge } from '../../harness/challenges.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'
import { type Attester, attestClient, newAttester, possessionOf } from '../../wallets/attestation.ts'
import { dpopProof } from '../../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey } from '../../wallets/wallet.ts'

// Signatures, keys and messages of the proofs that wallets send. proof-limits.test.ts has their claims.

const seconds = Math.floor(Date.now() / 1000)
const now = new Date(seconds * 1000)
const baseUrl = 'https://issuer.example'
const url = `${baseUrl}/v1/oauth/token`
// Boundary: the members that the checks read.
const tenant = { id: 't', issuer: baseUrl, profile: 'standard' } as Tenant

let database: OpenDatabase
let deps: Deps
let key: HolderKeyPair
let edKey: HolderKeyPair
let attester: Attester
let client: AttestedClient
beforeAll(async () => {
  database = await openNewDatabase()
  const secrets = createSecrets([randomBytes(32)])
  // Boundary: the members that the checks read.
  deps = { db: database.db, secrets, clock: { now: () => now } } as unknown as Deps
  ;[key, edKey, attester] = await Promise.all([newHolderKey(), newHolderKey('EdDSA'), newAttester()])
  client = { clientId: 'wallet', roots: [attester.rootPem], possession: 'either' }
})
afterAll(() => database.drop())

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

/** The same token with another claim, and so with a wrong signature. */
function tamperedWith(jws: string): string {
  const [header, payload, signature] = jws.split('.')
  return `${header}.${encode({ ...decode(payload), tampered: true })}.${signature}`
}

const errorOf = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    return error as Problem
  }
  return undefined
}

const jwtProof = (jwt: string, attest?: (jws: string) => KeyAttestation) =>
  verifyJwtProof(jwt, { issuer: baseUrl, clientId: null, now, attest, roots: [] })
const newJwtProof = (changes: object = {}, by = key) =>
  makeProof({ issuer: baseUrl, key: by, nonce: 'n', payload: { iat: seconds }, ...changes })
const newDpop = (changes: object = {}, by = key) => dpopProof({ key: by, url, payload: { iat: seconds }, ...changes })
const checkDpopOf = (dpop: string, place: 'server' | 'resource' = 'server', token?: string, body = 'a=b') =>
  checkDpop(
    deps,
    tenant,
    { headers: { dpop }, method: 'POST', url, rawBody: async () => Buffer.from(body) },
    place,
    token,
  )
const attest = (changes: object = {}) =>
  attestClient(attester, { clientId: 'wallet', publicJwk: key.publicJwk }, { payload: { iat: seconds }, ...changes })
const newPossession = (changes: object = {}, by = key) =>
  possessionOf(by, baseUrl, { payload: { iat: seconds }, ...changes })
const attestationOf = (jws: string) => ({ 'oauth-client-attestation': jws })
const withPossession = async (pop: string) =>
  checkClientAttestation(
    deps,
    tenant,
    client,
    { ...attestationOf(await attest()), 'oauth-client-attestation-pop': pop },
    null,
  )

test('a tampered token of each kind is refused for its signature', async () => {
  const wrong = /Its signature is wrong$/
  expect(await errorOf(async () => jwtProof(tamperedWith(await newJwtProof())))).toMatchObject({
    problem: 'invalid_proof',
    message: expect.stringMatching(wrong),
  })
  expect(await errorOf(async () => jwtProof(tamperedWith(await newJwtProof({}, edKey))))).toMatchObject({
    problem: 'invalid_proof',
    message: expect.stringMatching(wrong),
  })
  expect(await errorOf(async () => checkDpopOf(tamperedWith(await newDpop())))).toMatchObject({
    problem: 'invalid_dpop_proof',
    message: 'The DPoP proof is not acceptable. Its signature is wrong',
  })
  const attestation = tamperedWith(await attest())
  expect(await errorOf(() => attestedKey(deps, tenant, client, attestationOf(attestation)))).toMatchObject({
    problem: 'invalid_client_attestation',
    message: 'The client attestation is not acceptable. Its signature is wrong',
  })
  expect(await errorOf(async () => withPossession(tamperedWith(await newPossession())))).toMatchObject({
    problem: 'invalid_client_attestation',
    message: 'The proof of possession is not acceptable. Its signature is wrong',
  })
})

test('a token under another key than it names is refused', async () => {
  const other = await newHolderKey()
  const header = { jwk: key.publicJwk }
  expect(await errorOf(async () => jwtProof(await newJwtProof({ header }, other)))).toMatchObject({
    problem: 'invalid_proof',
  })
  expect(await errorOf(async () => checkDpopOf(await newDpop({ header }, other)))).toMatchObject({
    problem: 'invalid_dpop_proof',
  })
  expect(await errorOf(async () => withPossession(await newPossession({}, other)))).toMatchObject({
    problem: 'invalid_client_attestation',
  })
})

test('an Ed25519 key signs with EdDSA, and with no other algorithm', async () => {
  expect(jwtProof(await newJwtProof({}, edKey))).toMatchObject({ holderKey: { jwk: { crv: 'Ed25519' } } })
  const [, payload, signature] = (await newJwtProof({}, edKey)).split('.')
  const header = encode({ typ: 'openid4vci-proof+jwt', alg: 'ES256', jwk: edKey.publicJwk })
  expect(await errorOf(() => jwtProof(`${header}.${payload}.${signature}`))).toMatchObject({
    message: 'The proof is not acceptable. Its alg does not match its key',
  })
})

const refuse = (message: string) => new Problem('invalid_proof', { message })
const anything = { header: z.unknown(), payload: z.unknown() }
const part = encode({ a: 1 })

test.each([
  ['nothing', ''],
  ['two parts', `${part}.${part}`],
  ['four parts', `${part}.${part}.c.d`],
  ['an empty header', `.${part}.c`],
  ['an empty payload', `${part}..c`],
  ['an empty signature', `${part}.${part}.`],
  ['a header that is no JSON', `AAAA.${part}.c`],
  ['a padded signature', `${part}.${part}.AA==`],
  ['a comma', `${part}.${part}.AAAA,`],
  ['a space in its payload', `${part}.${part} .AAAA`],
  ['a payload that is no JSON', `${part}.AAAA.c`],
])('a text with %s is not a JWS', async (_what, text) => {
  expect(await errorOf(() => readJws(text, anything, refuse))).toMatchObject({ message: 'It is not a JWS' })
})

test('a malformed JWS is refused with the name of each wrong member', async () => {
  const payload = z.object({ a: z.string(), b: z.object({ c: z.string(), d: z.string() }) })
  const jws = `${part}.${encode({ a: 1, b: { c: 1, d: 1 } })}.c`
  expect(await errorOf(() => readJws(jws, { header: z.unknown(), payload }, refuse))).toMatchObject({
    message: 'These members are invalid: a, b',
  })
  const root = { header: z.unknown(), payload: z.string() }
  expect(await errorOf(() => readJws(jws, root, refuse))).toMatchObject({
    message: expect.stringMatching(/^These members are invalid: /),
  })
  const failing = z.unknown().transform(() => {
    throw new RangeError('a fault of ours')
  })
  expect(await errorOf(() => readJws(jws, { header: z.unknown(), payload: failing }, refuse))).toBeInstanceOf(
    RangeError,
  )
})

test('a key with private members, or one that cannot be used, is refused', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys: [object, string][] = [
    [privateKey.export({ format: 'jwk' }), 'Its key has private members'],
    [{ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }, 'Its key cannot be used'],
  ]
  for (const [jwk, message] of keys)
    expect(await errorOf(() => readPublicJwk({ ...jwk }, refuse))).toMatchObject({ message })
  expect(readPublicJwk({ ...key.publicJwk }, refuse)).toMatchObject({ crv: 'P-256' })
})

test('a JWT proof is accepted with the DID of its own key only', async () => {
  const did = `did:jwk:${encode(key.publicJwk)}`
  const byDid = await newJwtProof({ header: { jwk: undefined, kid: `${did}#0` } })
  expect(jwtProof(byDid)).toMatchObject({ holderKey: { did, jwk: { x: key.publicJwk.x } } })
  for (const kid of ['did:jwk:AAAA', 'did:key:z6', 'unknown', `x${did}`, '0', '1000']) {
    const wrong = await newJwtProof({ header: { jwk: undefined, kid } })
    expect(await errorOf(() => jwtProof(wrong)), kid).toMatchObject({
      message: expect.stringMatching(/cannot be used$/),
    })
  }
})

test('a JWT proof with a key attestation is signed by one of the attested keys', async () => {
  const other = await newHolderKey()
  const fill = await Promise.all(Array.from({ length: 10 }, () => newHolderKey()))
  const keysOf = (...holders: HolderKeyPair[]) => holders.map(({ publicJwk }) => publicJwk)
  const attesting =
    (keys: unknown[], expiry: Date | undefined = now) =>
    () =>
      ({ keys, expiry }) as unknown as KeyAttestation
  const header = { key_attestation: 'attestation' }
  const named = (kid: string) => newJwtProof({ header: { ...header, jwk: undefined, kid } })

  const byJwk = await newJwtProof({ header })
  expect(jwtProof(byJwk, attesting(keysOf(other, key)))).toMatchObject({ attestation: { expiry: now } })
  expect(await errorOf(() => jwtProof(byJwk, attesting(keysOf(other))))).toMatchObject({
    message: 'The proof is not acceptable. Its key is not one of the attested keys',
  })
  expect(await errorOf(() => jwtProof(byJwk, () => ({ keys: keysOf(key) }) as never))).toMatchObject({
    message: 'The proof is not acceptable. Its key attestation has no exp',
  })
  // The tenant trusts no attester: the attestation is ignored.
  expect(jwtProof(byJwk).attestation).toBeUndefined()
  // Without an attestation, the check is not called.
  expect(jwtProof(await newJwtProof(), attesting([])).attestation).toBeUndefined()
  const position = jwtProof(await named('10'), attesting(keysOf(...fill, key)))
  expect(position.holderKey).toEqual({ jwk: key.publicJwk })
  for (const kid of ['x0', '0x', '0000', ' 0'])
    expect(await errorOf(async () => jwtProof(await named(kid), attesting(keysOf(key)))), kid).toMatchObject({
      message: expect.stringMatching(/cannot be used$/),
    })
})

test('a DPoP proof is bound to the method, the payload and the token of its request', async () => {
  const digestOfOther = { payload: { iat: seconds, htcd: 'AAAA' } }
  for (const [changes, message] of [
    [{ method: 'GET' }, 'Its htm is not the method of the request'],
    [digestOfOther, 'Its htcd is not the digest of this payload'],
  ] as const)
    expect(await errorOf(async () => checkDpopOf(await newDpop(changes)))).toMatchObject({
      message: `The DPoP proof is not acceptable. ${message}`,
    })
  const problem = await errorOf(async () => checkDpopOf('a.b', 'resource'))
  expect(problem).toMatchObject({
    problem: 'invalid_dpop_proof_at_resource',
    message: 'The DPoP proof is not acceptable. It is not a JWS',
    headers: { 'WWW-Authenticate': dpopChallenge({ baseUrl }, 'invalid_dpop_proof', '/v1/oauth/token') },
  })
  expect(await errorOf(() => checkDpopOf('x'.repeat(10_001)))).toMatchObject({
    problem: 'invalid_dpop_proof',
    message: 'There must be one DPoP proof',
  })
})

test('a spent proof is kept for as long as it could be accepted', async () => {
  await checkDpopOf(await newDpop())
  await withPossession(await newPossession())
  const rows = await database.db.read.select().from(spentProofs)
  expect(rows.length).toBeGreaterThanOrEqual(2)
  for (const { expiresAt } of rows) expect(expiresAt.getTime() - now.getTime()).toBe(120_000)
})

test('a proof of possession works once, in one header', async () => {
  const pop = await newPossession()
  await withPossession(pop)
  expect(await errorOf(() => withPossession(pop))).toMatchObject({
    message: 'The proof of possession is not acceptable. It was used before',
  })
  expect(await errorOf(() => withPossession(`${pop}, ${pop}`))).toMatchObject({
    message: 'The header oauth-client-attestation-pop must be sent exactly once',
  })
  const missing = await errorOf(async () =>
    checkClientAttestation(deps, tenant, client, attestationOf(await attest()), null),
  )
  expect(missing).toMatchObject({
    problem: 'invalid_client',
    message: 'The header oauth-client-attestation-pop is missing',
  })
  const twice = { 'oauth-client-attestation': ['a.b.c', 'a.b.c'] }
  expect(await errorOf(() => attestedKey(deps, tenant, client, twice))).toMatchObject({
    message: 'The header oauth-client-attestation must be sent exactly once',
  })
  const combined = { ...client, possession: 'dpop' } as const
  expect(
    await errorOf(async () => checkClientAttestation(deps, tenant, combined, attestationOf(await attest()), null)),
  ).toMatchObject({ message: 'A DPoP proof of the attested key is required' })
})

test('a client that may send either proof is refused if its proof of possession is wrong', async () => {
  const headers = { ...attestationOf(await attest()), 'oauth-client-attestation-pop': 'wrong' }
  expect(await errorOf(() => checkClientAttestation(deps, tenant, client, headers, 'jkt'))).toMatchObject({
    message: expect.stringMatching(/^The proof of possession/),
  })
})

test('a proof of possession is accepted from its nbf until before its exp', async () => {
  const pop = await newPossession({ payload: { iat: seconds, exp: seconds + 1, nbf: seconds } })
  expect(await withPossession(pop)).toEqual(expect.any(String))
})

test('the checks of an attestation start in their order, and the last one is the one that refused', async () => {
  const begun = async (changes: object, jws?: string) => {
    const checks: AttestationCheck[] = []
    await errorOf(async () =>
      attestedKey(deps, tenant, client, attestationOf(jws ?? (await attest(changes))), (check) => checks.push(check)),
    )
    return checks
  }
  const all = ['form', 'chain', 'signature', 'times', 'client', 'key']
  const untrusted = (await newAttester()).x5c
  expect(await begun({})).toEqual(all)
  expect(await begun({}, 'a')).toEqual(all.slice(0, 1))
  expect(await begun({ header: { x5c: untrusted } })).toEqual(all.slice(0, 2))
  expect(await begun({}, tamperedWith(await attest()))).toEqual(all.slice(0, 3))
  expect(await begun({ payload: { exp: seconds } })).toEqual(all.slice(0, 4))
  expect(await begun({ payload: { sub: 'other' } })).toEqual(all.slice(0, 5))
})

test('an attestation with a malformed chain is refused with that reason', async () => {
  const jws = await attest({ header: { x5c: ['AAAA'] } })
  expect(await errorOf(() => attestedKey(deps, tenant, client, attestationOf(jws)))).toMatchObject({
    message: expect.stringMatching(/^The client attestation is not acceptable. Its x5c is not acceptable: /),
  })
})

test('the client of an attestation is read without checking it', async () => {
  expect(hasClientAttestation({})).toBe(false)
  expect(attestedClientId({})).toBeUndefined()
  const headers = attestationOf(tamperedWith(await attest()))
  expect(hasClientAttestation(headers)).toBe(true)
  expect(attestedClientId(headers)).toBe('wallet')
  const ofLength = (length: number) => attest({ payload: { sub: 'c'.repeat(length) } })
  expect(attestedClientId(attestationOf(await ofLength(200)))).toHaveLength(200)
  expect(await errorOf(async () => attestedClientId(attestationOf(await ofLength(201))))).toMatchObject({
    message: 'The client attestation is not acceptable. These members are invalid: sub',
  })
})

test('nonces differ, last five minutes, and are valid only for their tenant, use and thing', () => {
  const nonces = Array.from({ length: 50 }, () => newNonce(deps, tenant))
  expect(new Set(nonces).size).toBe(50)
  const contents = nonces.map((nonce) => Buffer.from(nonce.split('.')[0]!, 'base64url').subarray(6).toString('hex'))
  expect(new Set(contents).size).toBe(50)
  for (const content of contents) expect(content).toMatch(/^[0-9a-f]{12}7[0-9a-f]{19}$|^[0-9a-f]{12}4[0-9a-f]{19}$/)
  const { c_nonce, c_nonce_expires_in } = nonceMembers(deps, tenant)
  expect(c_nonce_expires_in).toBe(300)
  expect(nonceExpiry(deps, tenant, c_nonce)).toEqual(new Date(now.getTime() + 300_000))
  expect(nonceExpiry(deps, tenant, c_nonce, 'c_nonce')).toBeDefined()
  expect(nonceExpiry(deps, { ...tenant, id: 'other' }, c_nonce)).toBeUndefined()
  expect(nonceExpiry(deps, tenant, c_nonce, 'holder_challenge')).toBeUndefined()
  expect(nonceExpiry(deps, tenant, c_nonce, 'c_nonce', 'thing')).toBeUndefined()
  for (const wrong of ['', '.', `${c_nonce}.`, c_nonce.split('.')[0]!])
    expect(nonceExpiry(deps, tenant, wrong)).toBeUndefined()
})
