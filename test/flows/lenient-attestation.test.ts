import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spentProofs } from '../../db/tables/issuance/spent-proofs.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type Attester, newAttester } from '../wallets/attestation.ts'
import { newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let tenant: TestTenant
let attester: Attester
let configurationId: string
const key = await newHolderKey()

beforeAll(async () => {
  service = await startService()
  attester = await newAttester()
  tenant = await service.addTenant({ profile: 'lenient', keyAttestationRoots: [attester.rootPem] })
  configurationId = await compactConfiguration(tenant)
})
afterAll(() => service[Symbol.asyncDispose]())

/** By the service's clock, which tests move. */
const seconds = () => Math.floor(service.clock.now().getTime() / 1000)

function attest(claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({ jti: randomUUID(), iat: seconds(), attested_keys: [key.publicJwk], ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'key-attestation+jwt', x5c: attester.x5c })
    .sign(attester.leaf.keys.privateKey)
}

/** Requests a credential with an attestation as the only proof. */
async function collectWith(attestation: string) {
  const { uri } = await newOffer(tenant, [configurationId])
  const wallet = await newWallet(tenant, service.origin, uri, key)
  await wallet.redeem()
  return wallet.requestCredential({ proofs: { attestation: [attestation] } })
}

const refused = { status: 400, body: { error: 'invalid_proof' } }

test('an attestation without a nonce is a proof for ten minutes', async () => {
  for (const age of [-60, 0, 300]) {
    expect(await collectWith(await attest({ iat: seconds() - age }))).toMatchObject({ status: 200 })
  }
  for (const age of [601, 86_400 * 365]) {
    expect(await collectWith(await attest({ iat: seconds() - age }))).toMatchObject(refused)
    expect(await collectWith(await attest({ iat: seconds() - age, exp: seconds() + 300 }))).toMatchObject(refused)
  }
})

test('an attestation without a nonce is not a proof again after its use is forgotten', async () => {
  const attestation = await attest()
  expect(await collectWith(attestation)).toMatchObject({ status: 200 })
  expect(await collectWith(attestation)).toMatchObject({ status: 400 })
  service.clock.advance(31 * 60_000)
  // The purge of spent proofs removes its use.
  await service.deps.db.tx((tx) => tx.delete(spentProofs))
  expect(await collectWith(attestation)).toMatchObject(refused)
  service.clock.advance(-31 * 60_000)
})

test('an older attestation is a proof with a nonce', async () => {
  const { c_nonce: nonce } = (await tenant.anonymous.post('/v1/openid/nonce')).body
  expect(await collectWith(await attest({ iat: seconds() - 86_400, nonce }))).toMatchObject({ status: 200 })
})

test('beside a proof, an attestation of more keys needs a nonce of this issuer', async () => {
  const attested_keys = [key.publicJwk, (await newHolderKey()).publicJwk]
  const collect = async (claims: Record<string, unknown>) => {
    const { uri } = await newOffer(tenant, [configurationId])
    const wallet = await newWallet(tenant, service.origin, uri, key)
    await wallet.redeem()
    const key_attestation = await attest({ attested_keys, exp: seconds() + 300, ...claims })
    return wallet.requestCredential({ proofs: { jwt: [await wallet.proof({ header: { key_attestation } })] } })
  }
  expect(await collect({})).toMatchObject(refused)
  expect(await collect({ nonce: 'made-up' })).toMatchObject({ status: 400, body: { error: 'invalid_nonce' } })
  const { c_nonce: nonce } = (await tenant.anonymous.post('/v1/openid/nonce')).body
  expect(await collect({ nonce })).toMatchObject({ status: 200, body: { credentials: [{}, {}] } })
})
