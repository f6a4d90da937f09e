import { reservedSubjectClaims } from '../../../shared/formats/cwt.ts'
import { didKeyOf } from '../../../shared/formats/did-key.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { findUnsignableClaims } from '../../../shared/formats/json-ld-claims.ts'
import { credentialsContext, revocationListContext } from '../../../shared/formats/json-ld-contexts.ts'
import { type JsonLdDocument, type SignedJsonLd, signJsonLd } from './json-ld.ts'
import type { SigningInput } from './signing-input.ts'

/** A web semantic credential's own configuration, beside what every profile has. */
export interface WebSemanticInput extends SigningInput {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly additionalTypes?: readonly string[] | undefined
  /** Known context URLs, after credentials/v1. */
  readonly contexts?: readonly string[] | undefined
  readonly issuer?: { readonly name?: string; readonly logoUrl?: string; readonly iconUrl?: string } | undefined
  readonly credentialBranding?: { readonly backgroundColor?: string; readonly watermarkImageUrl?: string } | undefined
  /** The tenant's vocabulary, ending in `#` or `/`: every claim that no context defines becomes a term of it. */
  readonly vocab: string
}

/**
 * A W3C credential (`ldp_vc`) with an Ed25519Signature2018 proof. Throws `reserved_claim`, `unsignable_claim`,
 * `unknown_context`, `invalid_json_ld` and `signature_mismatch`.
 */
export async function signWebSemantic(input: WebSemanticInput): Promise<SignedJsonLd> {
  return signJsonLd(buildWebSemantic(input), {
    verificationMethod: input.key.keyId,
    privateKey: input.key.privateKey,
    publicKey: input.key.publicKey,
    created: input.issuedAt,
  })
}

function buildWebSemantic(input: WebSemanticInput): JsonLdDocument {
  const { issuer, additionalTypes = [], credentialBranding, status } = input
  return {
    '@context': contextsOf(input),
    id: `urn:uuid:${input.credentialId}`,
    type: [...new Set(['VerifiableCredential', input.type, ...additionalTypes])],
    issuer: { id: input.issuerDid, ...defined({ ...issuer }) },
    ...defined({ name: input.name, description: input.description }),
    issuanceDate: wholeSeconds(input.validFrom),
    ...(input.validUntil && { expirationDate: wholeSeconds(input.validUntil) }),
    ...(credentialBranding && { credentialBranding: defined({ ...credentialBranding }) }),
    ...(status && { credentialStatus: credentialStatus(status) }),
    credentialSubject: subjectOf(input),
  }
}

/** Our inline context stands before the configured ones, so that theirs win where both define a term. */
function contextsOf({ vocab, contexts = [], status }: WebSemanticInput): unknown[] {
  const inline = { '@vocab': vocab, name: 'https://schema.org/name', description: 'https://schema.org/description' }
  const urls = new Set([credentialsContext, ...contexts, ...(status ? [revocationListContext] : [])])
  urls.delete(credentialsContext)
  return [credentialsContext, inline, ...urls]
}

function subjectOf({ claims, holder }: WebSemanticInput): object {
  if (reservedSubjectClaims.some((name) => Object.hasOwn(claims, name))) {
    throw new FormatError('reserved_claim', 'a claim has a name that the credential subject itself uses')
  }
  const unsignable = findUnsignableClaims(claims)
  if (unsignable.length > 0)
    throw new FormatError('unsignable_claim', `JSON-LD cannot sign ${unsignable.length} claims`)
  return holder ? { id: holder.did ?? didKeyOf(holder.jwk), ...claims } : claims
}

/** RevocationList2020Status; the index is text there. */
function credentialStatus({ index, url }: { index: number; url: string }): object {
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
