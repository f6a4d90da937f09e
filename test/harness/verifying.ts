import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { buildCwtRevocationList } from '../../shared/formats/cwt-revocation-list.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import { bitsOf } from '../../shared/formats/status-bits.ts'
import { signCompact } from '../../workers/signing/formats/compact.ts'
import { signCompactSemantic } from '../../workers/signing/formats/compact-semantic.ts'
import { signCwt } from '../../workers/signing/formats/sign-cwt.ts'
import type { SigningInput } from '../../workers/signing/formats/signing-input.ts'
import { type ReceivedDelivery, type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'
import { newOffer } from './factories.ts'
import type { SharedService, TestTenant } from './harness.ts'
import { testSigner } from './test-signer.ts'

/** A credential of a tenant that a wallet collected, by default a CWT, and the id of its record. */
export async function issued<Credential = string>(
  service: SharedService,
  tenant: TestTenant,
  configurationId: string,
): Promise<{ credential: Credential; id: string }> {
  const { uri, userId } = await newOffer(tenant, [configurationId])
  const { status, body } = await (await newWallet(tenant, service.origin, uri)).collect()
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  const records = await tenant.operator.get(`/v1/users/${userId}/credentials`)
  return { credential: body.credentials[0].credential, id: records.body.data[0].id }
}

/** Starts an external issuer: a host on this machine with its DID document and other resources. */
export async function foreignIssuer(
  others: (request: ReceivedDelivery) => ReceiverAnswer | Promise<ReceiverAnswer> | undefined = () => undefined,
  answerWith: (document: unknown) => ReceiverAnswer = (document) => ({ body: JSON.stringify(document) }),
) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const edKeys = generateKeyPairSync('ed25519')
  const host = await startReceiver((request) => {
    if (request.path === '/.well-known/did.json') return answerWith(document())
    return others(request) ?? { status: 404 }
  })
  onTestFinished(() => host[Symbol.asyncDispose]())
  const { origin } = new URL(host.url)
  const did = `did:web:${new URL(origin).host.replace(':', '%3A')}`
  const method = (fragment: string, key: KeyObject) => ({
    ...{ id: `${did}#${fragment}`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: publicJwk(key) },
  })
  const document = () => ({
    id: did,
    verificationMethod: [method('k1', keys.publicKey), method('auth', keys.publicKey), method('ed', edKeys.publicKey)],
    authentication: [`${did}#auth`],
    assertionMethod: [`${did}#k1`, `${did}#ed`],
  })

  function sign(profile: 'compact' | 'compact-semantic', overrides: Partial<SigningInput> = {}): Promise<string> {
    const at = new Date(Date.now() - 60_000)
    const input: SigningInput = {
      issuerDid: did,
      key: { keyId: `${did}#k1`, kid: 'k1', signer: testSigner(keys) },
      credentialId: randomUUID(),
      type: 'CourseCredential',
      claims: { givenName: 'Ada' },
      issuedAt: at,
      validFrom: at,
      ...overrides,
    }
    return profile === 'compact' ? signCompact(input) : signCompactSemantic(input)
  }

  function list(
    revoked: number[],
    { expiresAt = new Date(Date.now() + 60_000), ...overrides }: ListOverrides = {},
  ): Promise<Buffer> {
    const { issuer = did, kid = 'k1', compressedBits = gzipSync(bitsOf(revoked, 1_000)) } = overrides
    const times = { issuedAt: new Date(), expiresAt }
    return signCwt(testSigner(keys), (alg) => buildCwtRevocationList({ issuer, kid, alg, ...times, compressedBits }))
  }
  return { did, origin, host, sign, list, keys, edKeys }
}

interface ListOverrides {
  issuer?: string
  kid?: string
  expiresAt?: Date
  compressedBits?: Buffer
}
