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
  /** Where the list is served, as its credentials say. */
  readonly url: string
  readonly issuerDid: string
  /** Of the issuer's DID, with the algorithm of the kind's profile (`profiles`). */
  readonly key: IssuerKey
  /** The entries that are not valid, in any order. */
  readonly positions: Iterable<number>
  /** Entries of the whole list. */
  readonly size: number
  /** What the list says is true of this moment. */
  readonly at: Date
}

export type SignedList = Omit<VersionContent, 'issuedAt'>

/**
 * Encodes and signs a list as its kind has it, and verifies the signature. Throws a `FormatError`: `signature_mismatch` when
 * the key pair does not match.
 */
export async function signList({ positions, size, ...list }: ListToSign): Promise<SignedList> {
  return signers[list.kind]({ ...list, compressedBits: await gzipBits(bitsOf(positions, size)) })
}

type Input = Omit<ListToSign, 'positions' | 'size'> & { readonly compressedBits: Buffer }

const signers: { readonly [Kind in RevocationListKind]: (input: Input) => SignedList | Promise<SignedList> } = {
  compact: signCwtList,
  'compact-semantic': signCwtList,
  'web-semantic': signJsonLdList,
}

/** A verifier that was away for a day still has a list; each is made anew after one (`renewalOf`). */
const cwtLivesForMs = 2 * 24 * 3_600_000

function signCwtList({ issuerDid: issuer, key, at, compressedBits }: Input): SignedList {
  // The claim is in whole seconds: what is kept of it is the same moment.
  const issuedAt = new Date(Math.floor(at.getTime() / 1000) * 1000)
  const expiresAt = plusMs(issuedAt, cwtLivesForMs)
  const content = signCwt(key, (alg) =>
    buildCwtRevocationList({ issuer, kid: key.kid, alg, issuedAt, expiresAt, compressedBits }),
  )
  return { ...signedBy(key), content, expiresAt, renewAt: listRenewalAt(issuedAt, expiresAt) }
}

async function signJsonLdList({ url, issuerDid: issuer, key, at, compressedBits }: Input): Promise<SignedList> {
  const { keyId: verificationMethod, privateKey, publicKey } = key
  const document = buildRevocationList2020({ url, issuer, issuedAt: at, compressedBits })
  const signed = await signJsonLd(document, { verificationMethod, privateKey, publicKey, created: at })
  return { ...signedBy(key), content: Buffer.from(JSON.stringify(signed)), expiresAt: null, renewAt: null }
}

function signedBy({ kid }: IssuerKey) {
  return { jwt: null, signerId: null, keyId: kid, ttlSeconds: null }
}
