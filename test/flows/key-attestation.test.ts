import { importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64Of, type CertificateOptions, newCertificate } from '../certificates/certificates.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { type Attester, attestKeys, type JwtChanges, newAttester } from '../wallets/attestation.ts'
import { type HolderKeyPair, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let attester: Attester
let requiringId: string
let plainId: string
const keys = await Promise.all(Array.from({ length: 3 }, () => newHolderKey()))
const key = keys[0] as HolderKeyPair

beforeAll(async () => {
  service = await startService()
  attester = await newAttester()
  await service.platform.put(`/v1/tenants/${service.id}`, { keyAttestationRoots: [attester.rootPem] })
  requiringId = await compactConfiguration(service, {
    keyAttestationsRequired: { keyStorage: ['iso_18045_high', 'iso_18045_moderate'] },
  })
  plainId = await compactConfiguration(service)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const now = () => Math.floor(Date.now() / 1000)

const attest = (nonce?: string, changes: JwtChanges = {}, by = attester) => attestKeys(by, { keys, nonce }, changes)

/** A wallet with a token for a configuration, and a nonce. */
async function redeemed(configurationId: string) {
  const offer = await newOffer(service, [configurationId])
  const wallet = await newWallet(service, service.origin, offer.uri, key)
  await wallet.redeem()
  const nonce = await wallet.nonce()
  const byJwt = async (header: Record<string, unknown>, by = key) =>
    wallet.requestCredential({ proofs: { jwt: [await wallet.proof({ nonce, key: by, header })] } })
  const send = (proofs: Record<string, unknown>) => wallet.requestCredential({ proofs })
  const byAttestation = (...attestation: string[]) => send({ attestation })
  return { nonce, send, byJwt, byAttestation }
}

test('the metadata contain the requirements for keys', async () => {
  const { body } = await service.anonymous.get('/.well-known/openid-credential-issuer')
  const proof_signing_alg_values_supported = ['ES256', 'EdDSA']
  const { [requiringId]: requiring, [plainId]: plain } = body.credential_configurations_supported
  const key_attestations_required = { key_storage: ['iso_18045_high', 'iso_18045_moderate'] }
  const wanting = { proof_signing_alg_values_supported, key_attestations_required }
  expect(requiring.proof_types_supported).toEqual({ jwt: wanting, attestation: wanting })
  const wantingNothing = { proof_signing_alg_values_supported }
  expect(plain.proof_types_supported).toEqual({
    jwt: wantingNothing,
    attestation: { ...wantingNothing, key_attestations_required: {} },
  })
})

test('with an attestation beside its proof a wallet gets a credential for each attested key', async () => {
  const { nonce, byJwt } = await redeemed(requiringId)
  const answer = await byJwt({ key_attestation: await attest(nonce) })
  expect(answer.status).toBe(200)
  expect(answer.body.credentials).toHaveLength(keys.length)
})

test('without a nonce, an attestation beside proofs can only have the keys of the proofs', async () => {
  const { nonce, byJwt } = await redeemed(requiringId)
  const refused = { status: 400, body: { error: 'invalid_proof' } }
  expect(await byJwt({ key_attestation: await attest() })).toMatchObject(refused)
  const ofOne = await attest(undefined, { payload: { attested_keys: [key.publicJwk] } })
  expect(await byJwt({ key_attestation: ofOne })).toMatchObject({ status: 200, body: { credentials: [{}] } })
  const batch = await redeemed(requiringId)
  expect(await batch.byJwt({ key_attestation: await attest(nonce) })).toMatchObject({
    body: { error: 'invalid_nonce' },
  })
})

test('a proof can name its key by its index among the attested keys', async () => {
  const { nonce, send } = await redeemed(requiringId)
  const proof = await new SignJWT({ aud: service.baseUrl, iat: now(), nonce })
    .setProtectedHeader({ alg: 'ES256', typ: 'openid4vci-proof+jwt', kid: '1', key_attestation: await attest(nonce) })
    .sign(await importJWK(keys[1]?.privateJwk ?? {}, 'ES256'))
  expect(await send({ jwt: [proof] })).toMatchObject({ status: 200 })
})

test.each(['key-attestation+jwt', 'keyattestation+jwt'])(
  'an attestation of type %s is a proof without another one',
  async (typ) => {
    const { nonce, byAttestation } = await redeemed(requiringId)
    const answer = await byAttestation(await attest(nonce, { header: { typ } }))
    expect(answer.status).toBe(200)
    expect(answer.body.credentials).toHaveLength(keys.length)
  },
)

test('an attestation of 100 keys gives 100 credentials, and one of 101 keys is refused', async () => {
  const some = await Promise.all(Array.from({ length: 101 }, () => newHolderKey()))
  const of = (count: number) => ({ attested_keys: some.slice(0, count).map(({ publicJwk }) => publicJwk) })
  const large = { keyAttestationRoots: [attester.rootPem], maxCredentialsPerSession: 1000 }
  await service.platform.put(`/v1/tenants/${service.id}`, large)
  const { nonce, byAttestation } = await redeemed(requiringId)
  const tooMany = await byAttestation(await attest(nonce, { payload: of(101) }))
  expect(tooMany).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
  const answer = await byAttestation(await attest(nonce, { payload: of(100) }))
  expect(answer.status).toBe(200)
  const credentials = answer.body.credentials.map(({ credential }: { credential: string }) => credential)
  expect(new Set(credentials).size).toBe(100)
})

test('an attestation works as a proof once, also in fifty concurrent requests', async () => {
  const sessions = await Promise.all(Array.from({ length: 50 }, () => redeemed(requiringId)))
  const attestation = await attest(sessions[0]?.nonce)
  const answers = await Promise.all(sessions.map(({ byAttestation }) => byAttestation(attestation)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.error === 'invalid_nonce')).toHaveLength(49)
})

async function underRoot(changes: Partial<CertificateOptions>): Promise<Attester> {
  const leaf = await newCertificate({ name: 'Attester', issuer: attester.root, ...changes })
  return { ...attester, leaf, x5c: [base64Of(leaf)] }
}

const faults: Record<string, (nonce: string) => Promise<string>> = {
  'of another type': (nonce) => attest(nonce, { header: { typ: 'jwt' } }),
  'without chain': (nonce) => attest(nonce, { header: { x5c: undefined } }),
  'of another attester': async (nonce) => attest(nonce, {}, await newAttester()),
  'of an authority': async (nonce) => attest(nonce, {}, await underRoot({ ca: true })),
  'whose chain is in base64url': (nonce) =>
    attest(nonce, {
      header: { x5c: attester.x5c.map((each) => Buffer.from(each, 'base64').toString('base64url')) },
    }),
  'that is signed by another key': async (nonce) => attest(nonce, {}, { ...(await newAttester()), x5c: attester.x5c }),
  'that is expired': (nonce) => attest(nonce, { payload: { exp: now() - 1 } }),
  'of tomorrow': (nonce) => attest(nonce, { payload: { iat: now() + 86_400, exp: now() + 90_000 } }),
  'without iat': (nonce) => attest(nonce, { payload: { iat: undefined } }),
  'of no keys': (nonce) => attest(nonce, { payload: { attested_keys: [] } }),
  'of one key twice': (nonce) => attest(nonce, { payload: { attested_keys: [key.publicJwk, key.publicJwk] } }),
  'of a private key': (nonce) => attest(nonce, { payload: { attested_keys: [key.privateJwk] } }),
  'of keys that are kept too badly': (nonce) => attest(nonce, { payload: { key_storage: ['iso_18045_basic'] } }),
  'that does not say how keys are kept': (nonce) => attest(nonce, { payload: { key_storage: undefined } }),
}

describe.each(['beside a proof', 'as a proof'])('%s, an attestation is refused, and the nonce stays usable,', (how) => {
  test.each(Object.keys(faults))('%s', async (name) => {
    const { nonce, byJwt, byAttestation } = await redeemed(requiringId)
    const bring = (jws: string) => (how === 'as a proof' ? byAttestation(jws) : byJwt({ key_attestation: jws }))
    const attestation = (await faults[name]?.(nonce)) ?? ''
    expect(await bring(attestation)).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
    expect(await bring(await attest(nonce))).toMatchObject({ status: 200 })
  })
})

test('beside a proof an attestation must have an expiry and contain the key of the proof', async () => {
  const { nonce, byJwt } = await redeemed(requiringId)
  const endless = await attest(nonce, { payload: { exp: undefined } })
  expect(await byJwt({ key_attestation: endless })).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
  const ofOthers = await attest(nonce, { payload: { attested_keys: [(await newHolderKey()).publicJwk] } })
  expect(await byJwt({ key_attestation: ofOthers })).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
})

test('beside a proof, the nonce of an attestation must be of this issuer, and is used with that of the proof', async () => {
  const { nonce, byJwt } = await redeemed(requiringId)
  const another = await redeemed(requiringId)
  const invalid = { status: 400, body: { error: 'invalid_nonce' } }
  expect(await byJwt({ key_attestation: await attest('made-up') })).toMatchObject(invalid)
  expect(await byJwt({ key_attestation: await attest(another.nonce) })).toMatchObject({ status: 200 })
  // The proof of the other wallet is fresh in all but this nonce.
  const fresh = await redeemed(requiringId)
  expect(await fresh.byJwt({ key_attestation: await attest(another.nonce) })).toMatchObject(invalid)
  expect(await fresh.byJwt({ key_attestation: await attest(nonce) })).toMatchObject(invalid)
  expect(await fresh.byJwt({ key_attestation: await attest(fresh.nonce) })).toMatchObject({ status: 200 })
})

test('a foreign nonce and a missing nonce give different errors', async () => {
  const { byAttestation } = await redeemed(requiringId)
  expect(await byAttestation(await attest())).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
  expect(await byAttestation(await attest('made-up'))).toMatchObject({ status: 400, body: { error: 'invalid_nonce' } })
})

test('only one attestation is allowed', async () => {
  const { nonce, byAttestation } = await redeemed(requiringId)
  const attestation = await attest(nonce)
  expect(await byAttestation(attestation, attestation)).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
})

test('a plain proof is enough exactly if the configuration has no key requirements', async () => {
  const plain = await redeemed(plainId)
  expect(await plain.byJwt({})).toMatchObject({ status: 200, body: { credentials: [{}] } })
  const requiring = await redeemed(requiringId)
  expect(await requiring.byJwt({})).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
})

test('HAIP refuses a chain with the root, and other profiles accept it', async () => {
  const { nonce, byAttestation } = await redeemed(requiringId)
  const withRoot = { ...attester, x5c: [...attester.x5c, base64Of(attester.root)] }
  expect(await byAttestation(await attest(nonce, {}, withRoot))).toMatchObject({ status: 200 })
})

test('without trusted roots at the tenant, attestations are not accepted as proofs', async () => {
  const tenant = await service.addTenant()
  const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
  const wallet = await newWallet(tenant, service.origin, offer.uri, key)
  await wallet.redeem()
  const attestation = [await attest(await wallet.nonce())]
  expect(await wallet.requestCredential({ proofs: { attestation } })).toMatchObject({
    status: 400,
    body: { error: 'invalid_proof' },
  })
})
