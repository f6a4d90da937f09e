import { base58btc } from 'multiformats/bases/base58'
import { agreementJwkOf } from './agreement-key.ts'
import { type BlsPublicJwk, type DidPublicJwk, didKeyOf, multibaseKey } from './did-key.ts'
import type { EcPublicJwk, OkpPublicJwk } from './jwk.ts'

/** The keys of a did:web, each with its fragment in the document (without `#`). */
export interface DidWebKeys {
  readonly p256: DidWebKey<EcPublicJwk>
  readonly ed25519: DidWebKey<OkpPublicJwk>
  /** Undefined if the keys of the DID must be in hardware. */
  readonly bls12381G2: DidWebKey<BlsPublicJwk> | undefined
  readonly x25519: DidWebKey<OkpPublicJwk> | undefined
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

const core = 'https://www.w3.org/ns/did/v1'

/** The type of the verification method for each kind of key, and the context that defines it. */
const methods = {
  EC: { type: 'JsonWebKey2020', context: 'https://w3id.org/security/suites/jws-2020/v1' },
  Ed25519: { type: 'Ed25519VerificationKey2018', context: 'https://w3id.org/security/suites/ed25519-2018/v1' },
  Bls12381G2: { type: 'Bls12381G2Key2020', context: 'https://w3id.org/security/bbs/v1' },
  X25519: { type: 'X25519KeyAgreementKey2019', context: 'https://w3id.org/security/suites/x25519-2019/v1' },
} as const

/**
 * Builds the DID document of a did:web (DID core, section 5): signing keys, and X25519 only for key agreement. The replaced keys
 * follow each of them, so that the first key of a kind is the current one. Replaced keys sign nothing new.
 */
export function didWebDocument(
  did: string,
  { p256, ed25519, bls12381G2, x25519 }: DidWebKeys,
  replaced: readonly DidWebKey<DidPublicJwk>[] = [],
): DidDocument {
  const agrees = ({ publicJwk }: DocumentedKey) => publicJwk.crv === 'X25519'
  return documentOf(
    did,
    [p256, ed25519, ...(bls12381G2 ? [bls12381G2] : []), ...replaced.filter((key) => !agrees(key))],
    [...(x25519 ? [x25519] : []), ...replaced.filter(agrees)],
  )
}

/** Selects the keys of a did:web, the first row of each kind. The id of a row is the fragment. Throws without the keys that sign. */
export function didWebKeysFrom(rows: readonly { id: string; publicJwk: DidPublicJwk }[]): DidWebKeys {
  function first<Jwk extends DidPublicJwk>(pick: (jwk: DidPublicJwk) => Jwk | undefined): DidWebKey<Jwk> | undefined {
    for (const { id, publicJwk } of rows) {
      const picked = pick(publicJwk)
      if (picked) return { fragment: id, publicJwk: picked }
    }
    return undefined
  }
  const p256 = first((jwk) => (jwk.kty === 'EC' ? jwk : undefined))
  const ed25519 = first((jwk) => (jwk.crv === 'Ed25519' ? jwk : undefined))
  if (!p256 || !ed25519) throw new Error('a key of a did:web is missing')
  return {
    p256,
    ed25519,
    bls12381G2: first((jwk) => (jwk.crv === 'Bls12381G2' ? jwk : undefined)),
    x25519: first((jwk) => (jwk.crv === 'X25519' ? jwk : undefined)),
  }
}

/**
 * Builds the DID document of a did:key (did:key, section 3.1). Its key signs. An X25519 key is only for key agreement. A document with
 * an Ed25519 key also has the derived X25519 key, unless its private key cannot be derived (`signing only`).
 */
export function didKeyDocument(
  jwk: DidPublicJwk,
  use: 'with agreement' | 'signing only' = 'with agreement',
): DidDocument {
  const did = didKeyOf(jwk)
  if (jwk.crv === 'X25519') return documentOf(did, [], [inDidKey(jwk)])
  const agrees = jwk.crv === 'Ed25519' && use === 'with agreement'
  return documentOf(did, [inDidKey(jwk)], agrees ? [inDidKey(agreementJwkOf(jwk))] : [])
}

/** Names a key in the document of a did:key. The fragment is the encoded key. */
function inDidKey<Jwk extends DidPublicJwk>(publicJwk: Jwk): DidWebKey<Jwk> {
  return { fragment: multibaseKey(publicJwk), publicJwk }
}

type DocumentedKey = DidWebKey<DidPublicJwk>

function documentOf(did: string, signing: DocumentedKey[], agreeing: DocumentedKey[]): DidDocument {
  const idOf = ({ fragment }: DocumentedKey) => `${did}#${fragment}`
  const all = [...signing, ...agreeing]
  const signingIds = signing.map(idOf)
  return {
    '@context': [...new Set([core, ...all.map(({ publicJwk }) => methodOf(publicJwk).context)])],
    id: did,
    verificationMethod: all.map((key) => methodFor(key, { id: idOf(key), controller: did })),
    authentication: signingIds,
    assertionMethod: signingIds,
    capabilityDelegation: signingIds,
    capabilityInvocation: signingIds,
    keyAgreement: agreeing.map(idOf),
  }
}

function methodFor({ publicJwk }: DocumentedKey, { id, controller }: { id: string; controller: string }) {
  const named = { id, type: methodOf(publicJwk).type, controller }
  if (publicJwk.kty === 'EC') return { ...named, publicKeyJwk: publicJwk }
  return { ...named, publicKeyBase58: base58Key(publicJwk) }
}

function methodOf(jwk: DidPublicJwk) {
  return methods[jwk.kty === 'EC' ? 'EC' : jwk.crv]
}

/** Encodes the bare key in base58btc, without a multibase letter. */
function base58Key(jwk: DidPublicJwk): string {
  return base58btc.baseEncode(Buffer.from(jwk.x, 'base64url'))
}
