import { randomInt } from 'node:crypto'
import { hashCopies, type Replacements } from '../../../shared/formats/canonical-hash.ts'
import { contextsOfCredential } from '../../../shared/formats/credential-contexts.ts'
import { reservedSubjectClaims } from '../../../shared/formats/cwt.ts'
import { didKeyOf } from '../../../shared/formats/did-key.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import {
  type JsonLdDocument,
  type JsonLdSigner,
  type SignedJsonLd,
  signJsonLd,
} from '../../../shared/formats/json-ld.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { revocationListContext } from '../../../shared/formats/json-ld-contexts.ts'
import { noOwnContexts, type OwnContexts, withOwnContexts } from '../../../shared/formats/own-contexts.ts'
import { newId } from '../../../shared/ids.ts'
import { signEach } from './sign-copies.ts'
import type { Copy, SigningInput } from './signing-input.ts'

/** The input of a web semantic credential. */
export interface WebSemanticInput extends SigningInput {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly additionalTypes?: readonly string[] | undefined
  /** Known context URLs, after credentials/v1. */
  readonly contexts?: readonly string[] | undefined
  /** The contexts of the tenant among `contexts`. */
  readonly own?: OwnContexts
  readonly issuer?: Readonly<Record<string, unknown>> | undefined
  /** Whether `issuer` of the credential is the DID itself. */
  readonly isIssuerText?: boolean
  /** Other members of the W3C data model, such as `evidence`. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly credentialBranding?: { readonly backgroundColor?: string; readonly watermarkImageUrl?: string } | undefined
  /** The tenant's vocabulary, ending in `#` or `/`: every claim that no context defines becomes a term of it. */
  readonly vocab: string
}

/**
 * Signs a W3C credential (`ldp_vc`) with an Ed25519Signature2018 proof. Throws `reserved_claim`, `unsignable_claim`,
 * `unknown_context`, `invalid_json_ld` and `signature_mismatch`.
 */
export async function signWebSemantic(input: WebSemanticInput): Promise<SignedJsonLd> {
  return signJsonLd(buildWebSemantic(input), signerOf(input), { own: input.own ?? noOwnContexts })
}

/** Signs the copies of a batch. Their common part is canonicalized once. */
export async function signWebSemanticCopies(
  input: Omit<WebSemanticInput, keyof Copy>,
  copies: readonly Copy[],
): Promise<{ id: string; credential: SignedJsonLd }[]> {
  const [first] = copies
  const { own = noOwnContexts } = input
  const hashOf =
    first && copies.length > 1
      ? await hashCopies(withOwnContexts(buildWebSemantic({ ...input, ...templateOf(first) }), own))
      : undefined
  return signEach(copies, async (copy) => {
    const one = { ...input, ...copy }
    const documentHash = await hashOf?.(exchangeFor(one))
    const credential = await signJsonLd(buildWebSemantic(one), signerOf(one), { documentHash, own })
    return { id: copy.credentialId, credential }
  })
}

/** Replaces the values of a copy in the template. The values are random, so they occur nowhere else. */
const placeholders: Required<Copy> = {
  credentialId: newId(),
  holder: { jwk: { kty: 'EC', crv: 'P-256', x: '', y: '' }, did: `urn:uuid:${newId()}` },
  status: { index: randomInt(2 ** 40, 2 ** 47), url: `urn:uuid:${newId()}` },
}

function templateOf({ holder, status }: Copy): Copy {
  return {
    credentialId: placeholders.credentialId,
    ...(holder && { holder: placeholders.holder }),
    ...(status && { status: placeholders.status }),
  }
}

function exchangeFor(copy: Copy): Replacements {
  const own = textsOf(copy)
  return Object.fromEntries(
    textsOf(placeholders).flatMap((text, at) => (own[at] === undefined ? [] : [[text, own[at]]])),
  )
}

/** Returns the values that differ between copies, in a fixed order. */
function textsOf({ credentialId, holder, status }: Copy): (string | undefined)[] {
  const { id, revocationListIndex, revocationListCredential } = status ? credentialStatus(status) : {}
  return [idOf(credentialId), holder && subjectId(holder), id, revocationListIndex, revocationListCredential]
}

function buildWebSemantic(input: WebSemanticInput): JsonLdDocument {
  const { issuer, isIssuerText = false, additionalTypes = [], credentialBranding, status, vocab, contexts = [] } = input
  return {
    '@context': contextsOfCredential(vocab, [...contexts, ...(status ? [revocationListContext] : [])]),
    id: idOf(input.credentialId),
    type: [...new Set(['VerifiableCredential', input.type, ...additionalTypes])],
    issuer: isIssuerText ? input.issuerDid : { id: input.issuerDid, ...defined({ ...issuer }) },
    ...defined({ name: input.name, description: input.description }),
    issuanceDate: wholeSeconds(input.validFrom),
    ...(input.validUntil && { expirationDate: wholeSeconds(input.validUntil) }),
    ...(credentialBranding && { credentialBranding: defined({ ...credentialBranding }) }),
    ...input.more,
    ...(status && { credentialStatus: credentialStatus(status) }),
    credentialSubject: subjectOf(input),
  }
}

function subjectOf({ claims, holder, subject }: WebSemanticInput): object {
  if (reservedSubjectClaims.some((name) => Object.hasOwn(claims, name))) {
    throw new FormatError('reserved_claim', 'a claim has a reserved name of the credential subject')
  }
  if (findUnsignableClaims(claims).length > 0)
    throw new FormatError('unsignable_claim', 'JSON-LD cannot sign the claims')
  const id = holder ? subjectId(holder) : subject
  return id === undefined ? claims : { id, ...claims }
}

function idOf(credentialId: string): string {
  return `urn:uuid:${credentialId}`
}

function subjectId({ did, jwk }: NonNullable<Copy['holder']>): string {
  return did ?? didKeyOf(jwk)
}

function signerOf({ key: { keyId: verificationMethod, signer }, issuedAt: created }: SigningInput): JsonLdSigner {
  return { verificationMethod, key: signer, created }
}

/** RevocationList2020Status, whose index is text. */
function credentialStatus({ index, url }: { index: number; url: string }) {
  return {
    id: `${url}#${index}`,
    type: 'RevocationList2020Status',
    revocationListIndex: String(index),
    revocationListCredential: url,
  }
}

function defined(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
}

function wholeSeconds(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}
