import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { type Attester, newAttester } from '../../wallets/attestation.ts'
import { type HolderKeyPair, newHolderKey, newWallet, type Wallet } from '../../wallets/wallet.ts'

// The number of keys in one credential request is the batch_size of the metadata.

let service: SharedService
let attester: Attester
const keys = await Promise.all(Array.from({ length: 21 }, () => newHolderKey()))
const key = keys[0] as HolderKeyPair

beforeAll(async () => {
  service = await joinService()
  attester = await newAttester()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Returns a new tenant that trusts the attester, with functions that send keys in a new pre-authorized session. */
async function newTenant(settings: Record<string, unknown> = {}) {
  const tenant = await service.addTenant({ keyAttestationRoots: [attester.rootPem], ...settings })
  const configurationId = await compactConfiguration(tenant)
  async function send(proofsOf: (wallet: Wallet, nonce: string) => Promise<Record<string, unknown>>) {
    const { uri } = await newOffer(tenant, [configurationId])
    const wallet = await newWallet(tenant, service.origin, uri, key)
    await wallet.redeem()
    return wallet.requestCredential({ proofs: await proofsOf(wallet, await wallet.nonce()) })
  }
  const proofs = async (wallet: Wallet, nonce: string, some: HolderKeyPair[], header = {}) => ({
    jwt: await Promise.all(some.map((by) => wallet.proof({ nonce, key: by, header }))),
  })
  return {
    send,
    async publishedBatch() {
      const { body } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
      return body.batch_credential_issuance
    },
    sendAs: {
      proofs: (some: HolderKeyPair[]) => send((wallet, nonce) => proofs(wallet, nonce, some)),
      'keys of an attestation': (some: HolderKeyPair[]) =>
        send(async (_wallet, nonce) => ({ attestation: [await attest(some, nonce)] })),
      'keys of an attestation beside a proof': (some: HolderKeyPair[]) =>
        send(async (wallet, nonce) => proofs(wallet, nonce, [key], { key_attestation: await attest(some, nonce) })),
      'proofs with an attestation each': (some: HolderKeyPair[]) =>
        send(async (wallet, nonce) => proofs(wallet, nonce, some, { key_attestation: await attest(some, nonce) })),
    },
  }
}

function attest(some: HolderKeyPair[], nonce: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  return new SignJWT({ iat, exp: iat + 300, nonce, attested_keys: some.map(({ publicJwk }) => publicJwk) })
    .setProtectedHeader({ alg: 'ES256', typ: 'key-attestation+jwt', x5c: attester.x5c })
    .sign(attester.leaf.keys.privateKey)
}

const refused = (max: number) => ({
  status: 400,
  body: { error: 'invalid_proof', error_description: expect.stringContaining(`1 to ${max} `) },
})

test.each([
  [20, {}],
  [2, { maxCredentialsPerSession: 2 }],
])('at most the published %i keys are accepted, in each kind of proof', async (batch_size, settings) => {
  const { publishedBatch, sendAs } = await newTenant(settings)
  expect(await publishedBatch()).toEqual({ batch_size })
  for (const [kind, send] of Object.entries(sendAs)) {
    expect(await send(keys.slice(0, batch_size + 1)), kind).toMatchObject(refused(batch_size))
    const { status, body } = await send(keys.slice(0, batch_size))
    expect([status, body.credentials?.length], kind).toEqual([200, batch_size])
  }
})

test('a tenant with one credential for each token publishes no batch and accepts none', async () => {
  const { publishedBatch, sendAs } = await newTenant({ maxCredentialsPerSession: 1 })
  expect(await publishedBatch()).toBeUndefined()
  expect(await sendAs.proofs(keys.slice(0, 2))).toMatchObject(refused(1))
  expect(await sendAs.proofs([key])).toMatchObject({ status: 200 })
})

describe('the body limit of the credential endpoint', () => {
  test.each([
    [2, 120_000],
    [20, 300_000],
  ])(
    'with a batch of %i refuses more than %i bytes as a malformed request',
    async (maxCredentialsPerSession, limit) => {
      const { send } = await newTenant({ maxCredentialsPerSession })
      const sendBytes = (length: number) => send(async () => ({ jwt: ['x'.repeat(length)] }))
      expect(await sendBytes(limit)).toMatchObject({ status: 400, body: { error: 'invalid_credential_request' } })
      expect(await sendBytes(limit - 1000)).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
    },
  )
})
