import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import type { Deps } from '../../../api/deps.ts'
import {
  type AttestedClient,
  attestedKey,
  checkClientAttestation,
} from '../../../api/issuance/proofs/client-attestation.ts'
import { verifyJwtProof } from '../../../api/issuance/proofs/jwt-proof.ts'
import { checkDpop, type DpopPlace, nextNonce } from '../../../api/proofs/dpop.ts'
import { newNonce } from '../../../api/proofs/nonce.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { type OpenDatabase, openNewDatabase } from '../../harness/database.ts'
import { type Attester, attestClient, newAttester, possessionOf } from '../../wallets/attestation.ts'
import { type DpopOptions, dpopProof, jktOf } from '../../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey } from '../../wallets/wallet.ts'

const seconds = Math.floor(Date.now() / 1000)
const now = new Date(seconds * 1000)
const baseUrl = 'https://issuer.example'
const clientId = 'wallet'

let database: OpenDatabase
let deps: Deps
let key: HolderKeyPair
let edKey: HolderKeyPair
let attester: Attester
let client: AttestedClient
beforeAll(async () => {
  database = await openNewDatabase()
  // Boundary: the members that the checks read.
  const secrets = createSecrets([randomBytes(32)])
  deps = { db: database.db, secrets, clock: { now: () => now } } as unknown as Deps
  ;[key, edKey, attester] = await Promise.all([newHolderKey(), newHolderKey('EdDSA'), newAttester()])
  client = { clientId, roots: [attester.rootPem], possession: 'either' }
})
afterAll(() => database.drop())

// Boundary: the members that the checks read.
const tenant = { id: 't', issuer: baseUrl, profile: 'standard' } as Tenant
const haip = { ...tenant, profile: 'haip' } as Tenant

type Changes = { header?: Record<string, unknown>; payload?: Record<string, unknown> }

/** Whether the outcome is a refusal. Narrows its type to the problem. */
const problemOf = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    ({ problem }) => problem,
  )

const jwtProof = async (changes: Changes, forClient: string | null = clientId) => {
  const payload = { iat: seconds, ...changes.payload }
  const jwt = await makeProof({ issuer: baseUrl, key, nonce: 'n', ...changes, payload })
  return verifyJwtProof(jwt, { issuer: baseUrl, clientId: forClient, now, attest: undefined, roots: [] })
}

test.each<[string, Changes]>([
  ['iat ten minutes ago', { payload: { iat: seconds - 600 } }],
  ['iat in ten minutes', { payload: { iat: seconds + 600 } }],
  ['exp in a second', { payload: { exp: seconds + 1 } }],
  ['nbf in ten minutes', { payload: { nbf: seconds + 600 } }],
  ['the audience with a slash', { payload: { aud: `${baseUrl}/` } }],
  ['the audience in a list', { payload: { aud: [baseUrl] } }],
  ['the issuer', { payload: { iss: clientId } }],
  ['a nonce of 500 characters', { payload: { nonce: 'n'.repeat(500) } }],
  ['a jti of 200 characters', { payload: { jti: 'j'.repeat(200) } }],
])('a JWT proof is accepted with %s', async (_what, changes) => {
  const { holderKey, issuedAt, nonce, id } = await jwtProof(changes)
  const { iat = seconds, nonce: given = 'n', jti } = changes.payload ?? {}
  expect([holderKey.jwk.x, issuedAt, nonce, id]).toEqual([key.publicJwk.x, iat, given, jti])
})

test.each<[string, Changes]>([
  ['iat more than ten minutes ago', { payload: { iat: seconds - 601 } }],
  ['iat in more than ten minutes', { payload: { iat: seconds + 601 } }],
  ['exp now', { payload: { exp: seconds } }],
  ['nbf in more than ten minutes', { payload: { nbf: seconds + 601 } }],
  ['the audience inside a longer one', { payload: { aud: `${baseUrl}//` } }],
  ['a slash inside the audience', { payload: { aud: '/https://issuer.example' } }],
  ['another issuer', { payload: { iss: 'other' } }],
  ['a nonce of 501 characters', { payload: { nonce: 'n'.repeat(501) } }],
  ['a jti of 201 characters', { payload: { jti: 'j'.repeat(201) } }],
  ['a kid of 2001 characters', { header: { jwk: undefined, kid: 'did:key:'.padEnd(2_001, 'z') } }],
  ['a kid beside the key', { header: { kid: '0' } }],
  ['the place of a key that was not attested', { header: { jwk: undefined, kid: '0' } }],
])('a JWT proof is refused with %s', async (_what, changes) => {
  expect(await problemOf(jwtProof(changes))).toBe('invalid_proof')
})

test('an anonymous client may have an issuer in its proof', async () => {
  expect(await jwtProof({ payload: { iss: 'anything' } }, null)).toMatchObject({ nonce: 'n' })
})

const url = `${baseUrl}/v1/oauth/token`
const body = Buffer.from('a=b')

interface DpopCase extends Partial<DpopOptions> {
  of?: Tenant
  place?: DpopPlace
  token?: string
  requestUrl?: string
}

async function dpop({ of = tenant, place = 'server', token, requestUrl = url, payload, ...options }: DpopCase) {
  const times = { iat: seconds, ...payload }
  const proof = await dpopProof({
    key,
    url,
    payload: times,
    ...(token !== undefined && { accessToken: token }),
    ...options,
  })
  const request = { headers: { dpop: proof }, method: 'POST', url: requestUrl, rawBody: async () => body }
  return checkDpop(deps, of, request, place, token)
}
const digest = createHash('sha256').update(body)
const digestOf = (encoding: 'base64' | 'base64url') => digest.copy().digest(encoding)

test.each<[string, DpopCase]>([
  ['iat a minute ago', { payload: { iat: seconds - 60 } }],
  ['iat in a minute', { payload: { iat: seconds + 60 } }],
  ['a jti of 500 characters', { payload: { jti: 'j'.repeat(500) } }],
  ['a jti of one character', { payload: { jti: 'j' } }],
  ['an htu with query and fragment', { payload: { htu: `${url}?a=b#c` } }],
  ['an htu with escapes in lower case', { url: `${baseUrl}/%7e%c3`, requestUrl: `${baseUrl}/%7E%C3` }],
  ['an htu of http', { url: 'http://issuer.example/a', requestUrl: 'http://issuer.example/a' }],
  ['the hash of its token', { token: 'token', place: 'resource' }],
  ['the digest in base64', { payload: { htcd: digestOf('base64') } }],
  ['the digest in base64url', { payload: { htcd: digestOf('base64url') } }],
  ['a nonce of any server', { nonce: 'n' }],
])('a DPoP proof is accepted with %s', async (_what, options) => {
  expect(await dpop(options)).toEqual({ jkt: await jktOf(key) })
})

test.each<[string, DpopCase]>([
  ['iat more than a minute ago', { payload: { iat: seconds - 61 } }],
  ['iat in more than a minute', { payload: { iat: seconds + 61 } }],
  ['an empty jti', { payload: { jti: '' } }],
  ['a jti of 501 characters', { payload: { jti: 'j'.repeat(501) } }],
  ['an htu of 4001 characters', { payload: { htu: `${url}?`.padEnd(4_001, 'a') } }],
  ['a nonce of 501 characters', { nonce: 'n'.repeat(501) }],
  ['a digest of 201 characters', { payload: { htcd: 'd'.repeat(201) } }],
  ['more than 10,000 characters', { payload: { more: 'm'.repeat(10_000) } }],
  ['an htu that is no URL', { payload: { htu: 'https:' } }],
  ['an htu of another scheme', { url: 'ftp://issuer.example/a', requestUrl: 'ftp://issuer.example/a' }],
  ['a scheme inside the htu', { url: 'x-https://issuer.example/a', requestUrl: 'x-https://issuer.example/a' }],
  ['a name in the htu', { payload: { htu: 'https://me@issuer.example/v1/oauth/token' } }],
  ['a password in the htu', { payload: { htu: 'https://:me@issuer.example/v1/oauth/token' } }],
  ['an htu with other escapes', { url: `${baseUrl}/%7e`, requestUrl: `${baseUrl}/%7d` }],
  ['no hash of the token', { token: 'token', payload: { ath: undefined } }],
  ['the hash of another token', { token: 'token', accessToken: 'other' }],
])('a DPoP proof is refused with %s', async (_what, options) => {
  expect(await problemOf(dpop(options))).toBe('invalid_dpop_proof')
  expect(await problemOf(dpop({ ...options, place: 'resource' }))).toBe('invalid_dpop_proof_at_resource')
})

test('a request without a DPoP proof has no key, and a request with two is refused', async () => {
  const request = { method: 'POST', url, rawBody: async () => body }
  expect(await checkDpop(deps, tenant, { ...request, headers: {} }, 'server')).toBeUndefined()
  const payload = { iat: seconds }
  const two = [await dpopProof({ key, url, payload }), await dpopProof({ key, url, payload })]
  for (const dpop of [two, two.join(', ')]) {
    const headers = { dpop } as Record<string, string | string[]>
    const sent = checkDpop(deps, tenant, { ...request, headers }, 'server')
    expect(await problemOf(sent)).toBe('invalid_dpop_proof')
  }
})

test('with HAIP a DPoP proof requires a nonce of its endpoint; other profiles return the next nonce', async () => {
  const nonce = newNonce(deps, haip, 'dpop_nonce server')
  expect(await dpop({ of: haip, nonce })).toEqual({ jkt: await jktOf(key) })
  for (const wrong of [undefined, 'n', newNonce(deps, haip, 'dpop_nonce resource'), newNonce(deps, haip)]) {
    const refused = await dpop({ of: haip, ...(wrong !== undefined && { nonce: wrong }) }).catch((error) => error)
    expect(refused).toMatchObject({ problem: 'use_dpop_nonce', headers: { 'DPoP-Nonce': expect.any(String) } })
    expect(await dpop({ of: haip, nonce: refused.headers['DPoP-Nonce'] })).toBeDefined()
  }
  const atResource = await dpop({ of: haip, place: 'resource', nonce }).catch((error) => error)
  expect(atResource).toMatchObject({
    problem: 'use_dpop_nonce_at_resource',
    headers: {
      'DPoP-Nonce': expect.any(String),
      'WWW-Authenticate': expect.stringMatching(/^DPoP error="use_dpop_nonce", /),
    },
  })
  expect(nextNonce(deps, tenant, 'server')).toEqual({})
})

test('a DPoP proof is stored as spent for its address and key', async () => {
  const once = { jti: 'once' }
  expect(await dpop({ payload: once })).toBeDefined()
  expect(await problemOf(dpop({ payload: once }))).toBe('invalid_dpop_proof')
  expect(await dpop({ payload: once, key: await newHolderKey() })).toBeDefined()
  expect(await dpop({ payload: once, url: `${baseUrl}/a`, requestUrl: `${baseUrl}/a` })).toBeDefined()
  expect(await dpop({ payload: once, of: { ...tenant, id: 'u' } })).toBeDefined()
})

const attest = (changes: Changes = {}, of: HolderKeyPair = key) =>
  attestClient(
    attester,
    { clientId, publicJwk: of.publicJwk },
    { ...changes, payload: { iat: seconds, ...changes.payload } },
  )
const attestationOf = async (changes: Changes, of: Tenant = tenant, holder = key) =>
  attestedKey(deps, of, client, { 'oauth-client-attestation': await attest(changes, holder) })

test.each<[string, Changes]>([
  ['exp in a second', { payload: { exp: seconds + 1 } }],
  ['nbf in a minute', { payload: { nbf: seconds + 60 } }],
  ['iat in a minute', { payload: { iat: seconds + 60 } }],
  ['no iat', { payload: { iat: undefined } }],
])('a client attestation is accepted with %s', async (_what, changes) => {
  expect(await attestationOf(changes)).toMatchObject({ x: key.publicJwk.x })
})

test.each<[string, Changes]>([
  ['exp now', { payload: { exp: seconds } }],
  ['no exp', { payload: { exp: undefined } }],
  ['nbf in more than a minute', { payload: { nbf: seconds + 61 } }],
  ['iat in more than a minute', { payload: { iat: seconds + 61 } }],
  ['another client', { payload: { sub: 'other' } }],
  ['another type', { header: { typ: 'JWT' } }],
  ['no chain', { header: { x5c: [] } }],
  ['a critical extension', { header: { crit: ['b64'], b64: true } }],
])('a client attestation is refused with %s', async (_what, changes) => {
  expect(await problemOf(attestationOf(changes))).toBe('invalid_client_attestation')
})

test('a client attestation has an ES256 key and, with HAIP, a chain without the root', async () => {
  expect(await problemOf(attestationOf({}, tenant, edKey))).toBe('invalid_client_attestation')
  const x5c = [...attester.x5c, Buffer.from(attester.root.certificate.rawData).toString('base64')]
  expect(await attestationOf({ header: { x5c } })).toBeDefined()
  expect(await problemOf(attestationOf({ header: { x5c } }, haip))).toBe('invalid_client_attestation')
  expect(await attestationOf({}, haip)).toBeDefined()
})

async function possession(
  changes: Changes,
  { aud = baseUrl as unknown, of = client, jkt = null as string | null } = {},
) {
  const headers = {
    'oauth-client-attestation': await attest(),
    'oauth-client-attestation-pop': await possessionOf(key, aud as string, {
      ...changes,
      payload: { iat: seconds, ...changes.payload },
    }),
  }
  return checkClientAttestation(deps, tenant, of, headers, jkt)
}

test.each<[string, Changes, unknown?]>([
  ['iat a minute ago', { payload: { iat: seconds - 60 } }],
  ['iat in a minute', { payload: { iat: seconds + 60 } }],
  ['exp in a second', { payload: { exp: seconds + 1 } }],
  ['nbf in a minute', { payload: { nbf: seconds + 60 } }],
  ['its client as the issuer', { payload: { iss: clientId } }],
  ['the issuer with a slash', {}, `${baseUrl}/`],
  ['the host as the audience', {}, 'issuer.example'],
  ['a list of one audience', {}, [baseUrl]],
  ['names of this server alone', {}, [baseUrl, 'issuer.example']],
])('a proof of possession is accepted with %s', async (_what, changes, aud = baseUrl) => {
  expect(await possession(changes, { aud })).toBe(await jktOf(key))
})

test.each<[string, Changes, unknown?]>([
  ['iat more than a minute ago', { payload: { iat: seconds - 61 } }],
  ['iat in more than a minute', { payload: { iat: seconds + 61 } }],
  ['exp now', { payload: { exp: seconds } }],
  ['nbf in more than a minute', { payload: { nbf: seconds + 61 } }],
  ['another issuer', { payload: { iss: 'other' } }],
  ['an empty jti', { payload: { jti: '' } }],
  ['another audience', {}, 'https://other.example'],
  ['another audience beside', {}, [baseUrl, 'https://other.example']],
  ['no audience', {}, []],
  ['another type', { header: { typ: 'JWT' } }],
])('a proof of possession is refused with %s', async (_what, changes, aud = baseUrl) => {
  expect(await problemOf(possession(changes, { aud }))).toBe('invalid_client_attestation')
})

test('the rules of a client determine how its instance proves its key', async () => {
  const jkt = await jktOf(key)
  const check = async (rule: AttestedClient['possession'], dpopJkt: string | null, isWithPop = false) => {
    const pop = isWithPop && {
      'oauth-client-attestation-pop': await possessionOf(key, baseUrl, { payload: { iat: seconds } }),
    }
    const headers = { 'oauth-client-attestation': await attest(), ...pop }
    return checkClientAttestation(deps, tenant, { ...client, possession: rule }, headers, dpopJkt).catch(
      ({ problem }) => problem,
    )
  }
  expect(await check('dpop', jkt)).toBe(jkt)
  expect(await check('either', jkt)).toBe(jkt)
  expect(await check('either', null, true)).toBe(jkt)
  expect(await check('pop', jkt, true)).toBe(jkt)
  expect(await check('dpop', null)).toBe('invalid_dpop_proof')
  expect(await check('dpop', null, true)).toBe('invalid_dpop_proof')
  expect(await check('dpop', 'other')).toBe('invalid_client_attestation')
  expect(await check('either', 'other')).toBe('invalid_client_attestation')
  expect(await check('either', null)).toBe('invalid_client')
  expect(await check('pop', jkt)).toBe('invalid_client')
})
