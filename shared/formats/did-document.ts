import { base58btc } from 'multiformats/bases/base58'
import type { BlsPublicJwk, DidPublicJwk } from './did-key.ts'
import type { EcPublicJwk, OkpPublicJwk } from './jwk.ts'

/** The four keys of a did:web, each with the fragment that names it in the document (without `#`). */
export interface DidWebKeys {
  readonly p256: DidWebKey<EcPublicJwk>
  readonly ed25519: DidWebKey<OkpPublicJwk>
  readonly bls12381G2: DidWebKey<BlsPublicJwk>
  readonly x25519: DidWebKey<OkpPublicJwk>
}
export interface DidWebKey<Jwk extends DidPublicJwk> {
  readonly fragment: string
  readonly publicJwk: Jwk
}

export interface DidDocument {
  readonly '@context': readonly string[]
  readonly id: string
  readonly verificationMethod: readonly VerificationMethod[]
  readonly authentication: readonly string[]
  readonly assertionMethod: readonly string[]
  readonly capabilityDelegation: readonly string[]
  readonly capabilityInvocation: readonly string[]
  readonly keyAgreement: readonly string[]
}
export type VerificationMethod = { readonly id: string; readonly type: string; readonly controller: string } & (
  | { readonly publicKeyJwk: EcPublicJwk }
  | { readonly publicKeyBase58: string }
)

/** DID core first, then the context of each verification method's type. */
const contexts = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
  'https://w3id.org/security/suites/ed25519-2018/v1',
  'https://w3id.org/security/bbs/v1',
  'https://w3id.org/security/suites/x25519-2019/v1',
] as const

/** The DID document of a did:web (DID core, section 5): three signing keys, and X25519 for key agreement alone. */
export function didWebDocument(did: string, keys: DidWebKeys): DidDocument {
  const { p256, ed25519, bls12381G2, x25519 } = keys
  const idOf = ({ fragment }: DidWebKey<DidPublicJwk>) => `${did}#${fragment}`
  const method = (key: DidWebKey<DidPublicJwk>, type: string) => ({ id: idOf(key), type, controller: did })
  const signing = [p256, ed25519, bls12381G2].map(idOf)
  return {
    '@context': contexts,
    id: did,
    verificationMethod: [
      { ...method(p256, 'JsonWebKey2020'), publicKeyJwk: p256.publicJwk },
      { ...method(ed25519, 'Ed25519VerificationKey2018'), publicKeyBase58: base58Key(ed25519.publicJwk) },
      { ...method(bls12381G2, 'Bls12381G2Key2020'), publicKeyBase58: base58Key(bls12381G2.publicJwk) },
      { ...method(x25519, 'X25519KeyAgreementKey2019'), publicKeyBase58: base58Key(x25519.publicJwk) },
    ],
    authentication: signing,
    assertionMethod: signing,
    capabilityDelegation: signing,
    capabilityInvocation: signing,
    keyAgreement: [idOf(x25519)],
  }
}

/** base58btc of the bare key, without a multibase letter. */
function base58Key(jwk: DidPublicJwk): string {
  return base58btc.baseEncode(Buffer.from(jwk.x, 'base64url'))
}
