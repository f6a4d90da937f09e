import { generateKeyPairSync } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findRevocationStatus } from '../../../api/credentials/verify/status.ts'
import { verifyCwt } from '../../../api/credentials/verify/verify-cwt.ts'
import { createDidResolver } from '../../../shared/domain/identifiers/resolver.ts'
import { decodeCwtCredential } from '../../../shared/formats/cwt-verify.ts'
import { findDocumentKey } from '../../../shared/formats/did-document-keys.ts'
import { compactConfiguration, semanticConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { payloads, signed } from '../../harness/signing.ts'
import { testSigner } from '../../harness/test-signer.ts'
import { foreignIssuer, issued } from '../../harness/verifying.ts'
import type { ReceiverAnswer } from '../../servers/receiver.ts'
import { compactCredential, passes, passKey } from '../../vectors/cwt-credentials.ts'

let service: Service
let other: TestTenant
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const paths = {
  compact: '/v2/credentials/compact/verify',
  'compact-semantic': '/v2/credentials/compact-semantic/verify',
}
type Kind = keyof typeof paths

/** Verifies a credential. Returns the answer and the type of its failure. */
async function verify(signed: string | Promise<string>, options: object = {}, kind: Kind = 'compact') {
  const payload = await signed
  const { status, body } = await service.operator.post(paths[kind], { payload, ...options })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { ...body, why: body.verified ? 'verified' : (body.error ?? body.reason[0]).type }
}
const why = async (payload: string | Promise<string>, options?: object, kind?: Kind) =>
  (await verify(payload, options, kind)).why
const encodedKid = (credential: string) => decodeCwtCredential(credential).kid
const day = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * day)

test('an issuer or a list without an answer before the deadline causes 503 without a verdict', async () => {
  const issuer = await foreignIssuer(({ path }) => (path.startsWith('/slow') ? { delayMs: 60_000 } : undefined))
  const did = `${issuer.did}:slow`
  const key = { keyId: `${did}#k1`, kid: 'k1', signer: testSigner(issuer.keys) }
  const status = { index: 1, url: `${issuer.origin}/slow/list` }
  const asserted = { assertValidFrom: true, assertValidUntil: true, checkRevocation: true }
  for (const input of [{ issuerDid: did, key }, { status }]) {
    const payload = await issuer.sign('compact', input)
    const verifying = { deps: service.deps, tenantId: service.id, deadlineAt: performance.now() + 500 }
    const retryable = { problem: 'service_unavailable', retryAfterSeconds: 5 }
    await expect(verifyCwt(verifying, payload, ['compact'], asserted)).rejects.toMatchObject(retryable)
  }
})

describe('a credential of this service', () => {
  test('from any tenant is verified with its content', async () => {
    for (const tenant of [service, other]) {
      const { credential, id } = await issued(
        service,
        tenant,
        await compactConfiguration(tenant, { type: `By ${tenant.id}` }),
      )
      expect(await verify(credential)).toMatchObject({
        verified: true,
        decoded: { iss: tenant.did, jti: `urn:uuid:${id}`, type: `By ${tenant.id}`, given_name: 'Ada', level: 'B1' },
      })
    }
    const { credential } = await issued(service, other, await semanticConfiguration(other))
    expect(await verify(credential, {}, 'compact-semantic')).toMatchObject({
      verified: true,
      reason: [],
      decoded: { iss: other.did, vc: { credentialSubject: { given_name: 'Ada' } } },
    })
  })

  test.each(['compact', 'compact-semantic'] as const)(
    'of the profile %s is revoked and restored at once',
    async (kind) => {
      const configure = kind === 'compact' ? compactConfiguration : semanticConfiguration
      const { credential, id } = await issued(
        service,
        other,
        await configure(other, { revocable: true, type: `Revocable ${kind}` }),
      )
      const set = (isRevoked: boolean) =>
        other.operator.post(`/v2/credentials/${kind}/${id}/revocation-status`, { isRevoked })
      expect(await why(credential, {}, kind)).toBe('verified')
      await set(true)
      expect(await verify(credential, {}, kind)).toMatchObject({ why: 'Revoked', decoded: { iss: other.did } })
      expect(await why(credential, { checkRevocation: false }, kind)).toBe('verified')
      await set(false)
      expect(await why(credential, {}, kind)).toBe('verified')
    },
  )

  test('verifies with any DID of its tenant and with the revocation lists of that DID', async () => {
    const { body } = await other.operator.post('/v1/dids', { method: 'web', options: { url: 'issuer.example.org' } })
    const { id, encoded } = await signed(other, 'compact', {
      payload: { ...payloads.compact, iss: body.did },
      revocable: true,
    })
    const document = body.localMetadata.initialDidDocument
    const { dids } = service.deps
    const resolve = async () => document
    service.deps.dids = {
      resolve,
      keyOf: async (_, relationship, wanted) =>
        findDocumentKey(document, encodedKid(encoded), relationship, wanted?.curves ?? [])!,
    }
    onTestFinished(() => void Object.assign(service.deps, { dids }))
    expect(await verify(encoded)).toMatchObject({ why: 'verified', decoded: { iss: body.did } })
    await other.operator.post(`/v2/credentials/compact/${id}/revocation-status`, { isRevoked: true })
    expect(await why(encoded)).toBe('Revoked')
  })

  test('does not verify after any character is changed', async () => {
    const { credential } = await issued(service, service, await compactConfiguration(service))
    for (const at of [20, 60, 150, 200, credential.length - 20]) {
      const changed = credential.slice(0, at) + (credential[at] === 'A' ? 'B' : 'A') + credential.slice(at + 1)
      expect(['MalformedCredential', 'InvalidSignature', 'IssuerUnresolved', 'UnknownKey']).toContain(
        await why(changed),
      )
    }
  })
})

describe('a credential of an external issuer', () => {
  test('is verified with the assertion key of its DID document', async () => {
    const issuer = await foreignIssuer()
    expect(await verify(issuer.sign('compact'))).toMatchObject({
      verified: true,
      decoded: { iss: issuer.did, givenName: 'Ada' },
    })
    const semantic = await verify(issuer.sign('compact-semantic'), {}, 'compact-semantic')
    expect(semantic).toMatchObject({ verified: true, reason: [] })

    const { keys, edKeys, did } = issuer
    const key = (kid: string, pair: typeof keys) => ({ key: { keyId: `${did}#${kid}`, kid, signer: testSigner(pair) } })
    expect(await why(issuer.sign('compact', key('unknown', keys)))).toBe('UnknownKey')
    expect(await why(issuer.sign('compact', key('auth', keys)))).toBe('UnknownKey')
    expect(await why(issuer.sign('compact', key('ed', edKeys)))).toBe('UnknownKey')
    const wrong = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(await why(issuer.sign('compact', key('k1', wrong)))).toBe('InvalidSignature')
  })

  test('of an untrusted issuer does not verify, and the DID of the issuer is not resolved', async () => {
    const issuer = await foreignIssuer()
    const credential = issuer.sign('compact')
    expect(await verify(credential, { trustedIssuers: [service.did] })).toMatchObject({
      verified: false,
      error: { type: 'UntrustedIssuer', message: expect.any(String), details: { issuer: issuer.did } },
      decoded: { iss: issuer.did },
    })
    expect(await why(credential, { trustedIssuers: [] })).toBe('UntrustedIssuer')
    expect(issuer.host.deliveries).toHaveLength(0)
    expect(await why(credential, { trustedIssuers: [service.did, issuer.did] })).toBe('verified')
  })

  test('is valid between its times, unless the request skips the check', async () => {
    const issuer = await foreignIssuer()
    const early = issuer.sign('compact', { validFrom: inDays(1), validUntil: inDays(2) })
    const late = issuer.sign('compact-semantic', { validUntil: inDays(-1) })
    expect(await why(early)).toBe('NotYetValid')
    expect(await why(early, { assertValidUntil: false })).toBe('NotYetValid')
    expect(await why(early, { assertValidFrom: false })).toBe('verified')
    expect(await why(late, {}, 'compact-semantic')).toBe('Expired')
    expect(await why(late, { assertValidFrom: false }, 'compact-semantic')).toBe('Expired')
    expect(await why(late, { assertValidUntil: false }, 'compact-semantic')).toBe('verified')
  })

  test('with an unreachable or malformed issuer is not verified, without an internal error', async () => {
    const { sign } = await foreignIssuer()
    for (const issuerDid of [
      'did:web:nowhere.invalid',
      'did:web:127.0.0.1%3A1',
      'did:example:1',
      'https://issuer.example',
    ]) {
      expect(await why(sign('compact', { issuerDid }))).toBe('IssuerUnresolved')
    }
    for (const text of [
      '',
      'CSC:/1/',
      'hello',
      'CSC:/1/AAAA',
      sign('compact-semantic'),
      `${await sign('compact')}AAAA`,
    ]) {
      expect(await why(text)).toBe('MalformedCredential')
    }
    expect(await why(sign('compact'), {}, 'compact-semantic')).toBe('MalformedCredential')
    // The same signature with another prefix.
    expect(await why((await sign('compact-semantic')).replace('CSS', 'NZCP'), {}, 'compact-semantic')).toBe(
      'MalformedCredential',
    )
  })
})

describe('an external status list', () => {
  /** Verifies a credential whose list has this answer. Returns the result. */
  async function verifyWithList(
    answer: (issuer: Awaited<ReturnType<typeof foreignIssuer>>) => ReceiverAnswer | Promise<ReceiverAnswer>,
    index = 7,
  ) {
    const issuer = await foreignIssuer(({ path }) => (path === '/lists/1' ? answer(issuer) : undefined))
    const credential = issuer.sign('compact', { status: { index, url: `${issuer.origin}/lists/1` } })
    return why(credential)
  }

  test('decides whether the credential is revoked', async () => {
    expect(await verifyWithList(async ({ list }) => ({ body: await list([6, 8]) }))).toBe('verified')
    expect(await verifyWithList(async ({ list }) => ({ body: await list([7]) }))).toBe('Revoked')
    expect(await verifyWithList(async ({ list }) => ({ body: await list([999]) }), 999)).toBe('Revoked')
  })

  const bomb = gzipSync(Buffer.alloc(50_000_000))
  test.each<[string, Parameters<typeof verifyWithList>[0], number?]>([
    ['is missing', () => ({ status: 404 })],
    ['is not a list', () => ({ body: 'hello' })],
    ['is expired', async ({ list }) => ({ body: await list([], { expiresAt: inDays(-1) }) })],
    ['is signed by another', async ({ list }) => ({ body: await list([], { kid: 'ed' }) })],
    ['was changed', async ({ list }) => ({ body: Buffer.concat([(await list([])).subarray(0, -4), Buffer.alloc(4)]) })],
    ['is of another issuer', async ({ list }) => ({ body: await list([], { issuer: service.did }) })],
    ['has fewer entries', async ({ list }) => ({ body: await list([]) }), 1_000_000],
    ['has no such entry', async ({ list }) => ({ body: await list([]) }), -1],
    ['is not compressed', async ({ list }) => ({ body: await list([], { compressedBits: Buffer.alloc(100) }) })],
    ['inflates to far more than it is', async ({ list }) => ({ body: await list([], { compressedBits: bomb }) })],
    ['is too large', () => ({ body: Buffer.alloc(1_100_000) })],
    ['redirects to a private address', () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } })],
  ])('that %s leaves the status unknown, and the credential is not verified', async (_, answer, index) => {
    expect(await verifyWithList(answer, index)).toBe('StatusUnknown')
  })

  test('of this service is read without HTTP and only for its own issuers', async () => {
    const { credential } = await issued(service, service, await compactConfiguration(service, { revocable: true }))
    const { url } = (await verify(credential)).decoded.status
    const issuer = await foreignIssuer()
    const at = (status: { url: string; index: number }) => why(issuer.sign('compact', { status }))
    expect(await at({ url, index: 1 })).toBe('StatusUnknown')

    const findStatus = async (list: string, index = 1) => {
      const { deps, id: tenantId, did } = service
      const verifying = { deps, tenantId, deadlineAt: performance.now() + 60_000 }
      const never = () => Promise.reject(new Error('it was fetched'))
      return (await findRevocationStatus(verifying, { kind: 'compact', issuer: did, url: list, index }, never))?.message
    }
    expect(await findStatus(url)).toBeUndefined()
    const gone = `http://gone.${service.deps.config.platformDomain}/v2/credentials/compact/revocation-lists/1`
    for (const wrong of [gone, `${url}x`, url.replace('compact', 'web-semantic'), `${service.baseUrl}/`]) {
      expect(await findStatus(wrong)).toContain('the list does not exist')
    }
    expect(await findStatus('no url')).toContain('is not allowed')
    for (const index of [-1, 1.5, 1_000_000, 2 ** 40, 1e300])
      expect(await findStatus(url, index)).toContain('no entry with this index')
  })
})

describe('credentials from other implementations', () => {
  test('a compact credential is read, but its issuer cannot be resolved', async () => {
    expect(await verify(compactCredential)).toMatchObject({
      why: 'IssuerUnresolved',
      decoded: { iss: expect.stringMatching(/^did:web:/), jti: expect.stringMatching(/^urn:uuid:/), status: {} },
    })
  })

  test('the vectors of the New Zealand COVID Pass have the results of their specification', async () => {
    const did = 'did:web:nzcp.covid19.health.nz'
    const method = { id: `${did}#key-1`, controller: did, type: 'JsonWebKey2020', publicKeyJwk: passKey }
    const document = JSON.stringify({ id: did, verificationMethod: [method], assertionMethod: [method.id] })
    const outbound = {
      request: async () => ({ status: 200, headers: {}, body: Buffer.from(document), truncated: false }),
      close: async () => {},
    }
    const { clock, dids } = service.deps
    service.deps.dids = createDidResolver({ outbound, clock, findOwn: async () => undefined, allowLoopback: false })
    onTestFinished(() => void Object.assign(service.deps, { dids }))
    const pinned = { ...service.deps, clock: { now: () => new Date('2021-12-01') } }
    const judge = async (name: keyof typeof passes) => {
      const asserted = { assertValidFrom: true, assertValidUntil: true, checkRevocation: true }
      const verifying = { deps: pinned, tenantId: service.id, deadlineAt: performance.now() + 60_000 }
      const { failed } = await verifyCwt(verifying, passes[name], ['nzcp'], asserted)
      return failed?.type ?? 'verified'
    }

    expect(await verify(passes.valid, {}, 'compact-semantic')).toMatchObject({
      verified: true,
      decoded: { iss: 'did:web:nzcp.covid19.health.nz', vc: { credentialSubject: { givenName: 'Jack' } } },
    })
    expect(await judge('valid')).toBe('verified')
    expect(await judge('badPublicKey')).toBe('InvalidSignature')
    expect(await judge('expired')).toBe('Expired')
    expect(await judge('modifiedPayload')).toBe('InvalidSignature')
    expect(await judge('modifiedSignature')).toBe('InvalidSignature')
    expect(await judge('publicKeyNotFound')).toBe('UnknownKey')
    expect(await judge('notActive')).toBe('NotYetValid')
  })
})
