import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'
import { didKeyOf } from '../../shared/formats/did-key.ts'
import { parsePublicJwk } from '../../shared/formats/jwk.ts'
import { jwkOf, type OutsideKey } from '../wallets/ecdh-1pu.ts'
import type { TestTenant } from './harness.ts'

/** Creates a did:key of the tenant with Ed25519. Returns it with the DID URLs of its keys. */
export async function newDidKey({ operator }: TestTenant) {
  const { body } = await operator.post('/v1/dids', { method: 'key' })
  const did: string = body.did
  const [keyAgreement]: string[] = body.localMetadata.initialDidDocument.keyAgreement
  const [authentication]: string[] = body.localMetadata.initialDidDocument.authentication
  return { did, keyAgreement: keyAgreement!, authentication: authentication! }
}

/** An external party with a did:key. */
export function outsider(): OutsideKey & { did: string } {
  const pair = generateKeyPairSync('x25519')
  const did = didKeyOf(parsePublicJwk(jwkOf(pair.publicKey)))
  return { ...pair, did, didUrl: `${did}#${did.slice('did:key:'.length)}` }
}

/** Returns the did:web of the tenant with its public keys. */
export async function ownKeys({ anonymous }: TestTenant) {
  const { body } = await anonymous.get('/.well-known/did.json')
  return { keyAgreement: body.keyAgreement[0] as string, authentication: body.authentication as string[] }
}

/** The key agreement key in the DID document of the tenant. */
export async function agreementKeyOfDocument({ anonymous }: TestTenant): Promise<KeyObject> {
  const { body } = await anonymous.get('/.well-known/did.json')
  const { publicKeyBase58 } = body.verificationMethod.find(({ id }: { id: string }) => id === body.keyAgreement[0])
  const x = Buffer.from(base58btc.baseDecode(publicKeyBase58)).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
}
