import type { VersionContent } from '../../../db/repos/status/publishing.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import { buildCwtRevocationList } from '../../../shared/formats/cwt-revocation-list.ts'
import { signJsonLd } from '../../../shared/formats/json-ld.ts'
import { buildRevocationList2020 } from '../../../shared/formats/revocation-list-2020.ts'
import { bitsOf, gzipBits } from '../../../shared/formats/status-bits.ts'
import { signCwt } from '../formats/sign-cwt.ts'
import type { IssuerKey } from '../formats/signing-input.ts'
import { listRenewalAt } from './renewal.ts'

export interface ListToSign {
  readonly kind: RevocationListKind
  /** The URL of the list, as in its credentials. */
  readonly url: string
  readonly issuerDid: string
  /** The key of the issuer's DID, with the algorithm of the profile (`profiles`). */
  readonly key: IssuerKey
  /** The entries that are not valid, in any order. */
  readonly positions: Iterable<number>
  /** The number of entries of the list. */
  readonly size: number
  /** The time of the content. */
  readonly at: Date
}

export type SignedList = Omit<VersionContent, 'issuedAt'>

/**
 * Encodes and signs a list in the format of its kind, and verifies the signature. Throws a `FormatError`: `signature_mismatch` if the
 * key pair does not match.
 */
export async function signList({ positions, size, ...list }: ListToSign): Promise<SignedList> {
  return signers[list.kind]({ ...list, compressedBits: await gzipBits(bitsOf(positions, size)) })
}

type Input = Omit<ListToSign, 'positions' | 'size'> & { readonly compressedBits: Buffer }

const signers: { readonly [Kind in RevocationListKind]: (input: Input) => Promise<SignedList> } = {
  compact: signCwtList,
  'compact-semantic': signCwtList,
  'web-semantic': signJsonLdList,
}

/** A list is renewed after a day (`listRenewalAt`). A verifier that was offline for a day has a valid list. */
const cwtValidForMs = 2 * 24 * 3_600_000

async function signCwtList({ issuerDid: issuer, key, at, compressedBits }: Input): Promise<SignedList> {
  // The claim is in whole seconds. The stored time is the same.
  const issuedAt = new Date(Math.floor(at.getTime() / 1000) * 1000)
  const expiresAt = plusMs(issuedAt, cwtValidForMs)
  const content = await signCwt(key.signer, (alg) =>
    buildCwtRevocationList({ issuer, kid: key.kid, alg, issuedAt, expiresAt, compressedBits }),
  )
  return { ...signedBy(key), content, expiresAt, renewAt: listRenewalAt(issuedAt, expiresAt) }
}

async function signJsonLdList({ url, issuerDid: issuer, key, at, compressedBits }: Input): Promise<SignedList> {
  const { keyId: verificationMethod, signer } = key
  const document = buildRevocationList2020({ url, issuer, issuedAt: at, compressedBits })
  const signed = await signJsonLd(document, { verificationMethod, key: signer, created: at })
  return { ...signedBy(key), content: Buffer.from(JSON.stringify(signed)), expiresAt: null, renewAt: null }
}

function signedBy({ kid }: IssuerKey) {
  return { jwt: null, signerId: null, keyId: kid, ttlSeconds: null }
}
