import { encodeBase32 } from './base32.ts'
import type { CborMap, CborValue } from './cbor.ts'
import { jsonToCbor } from './cbor-json.ts'
import { coseHeader } from './cose.ts'
import { FormatError } from './format-error.ts'
import { credentialsContext } from './json-ld-contexts.ts'
import { coseKeyFromJwk, type PublicJwk } from './jwk.ts'

/** CWT claim keys: RFC 8392, section 4, and `cnf` of RFC 8747. The compact formats define the last two. */
export const cwtClaim = {
  iss: 1,
  sub: 2,
  aud: 3,
  exp: 4,
  nbf: 5,
  iat: 6,
  cti: 7,
  cnf: 8,
  status: -65537,
  revocationList: -65538,
} as const

/** Keys inside the `status` claim. */
export const cwtStatus = { index: 2, url: 3 } as const

/** The prefix of a credential's base32 text, by format. */
export const cwtPrefix = { compact: 'CSC:/1/', 'compact-semantic': 'CSS:/1/', nzcp: 'NZCP:/1/' } as const

/** Names that a custom claim of a compact credential must not have, because the credential uses them itself. */
export const reservedCwtClaims: readonly string[] = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'cti',
  'jti',
  'cnf',
  'status',
  'type',
  'vc',
]

/** Names that a claim must not have in `credentialSubject`. `id` is the DID of the holder. */
export const reservedSubjectClaims: readonly string[] = ['id']

/** The common content of all CWT credentials. Dates are rounded down to whole seconds, as NumericDate. */
export interface CwtFrame {
  /** The DID of the issuer. `kid` names its key. Verifiers look for `issuer#kid`. */
  readonly issuer: string
  readonly kid: string
  /** COSE algorithm of the key. Default: -7. */
  readonly alg?: number
  readonly issuedAt: Date
  readonly notBefore?: Date | undefined
  readonly expiresAt?: Date | undefined
  /** A UUID. Its 16 bytes are the `cti`. */
  readonly credentialId: string
  readonly status?: { readonly index: number; readonly url: string } | undefined
  readonly subject?: string | undefined
  readonly audience?: string | undefined
  /** The key of the holder, and the DID if it is known. */
  readonly holder?: { readonly jwk: PublicJwk; readonly did?: string | undefined } | undefined
}

/** The content of the compact and compact semantic formats. */
export interface CwtInput extends CwtFrame {
  readonly type: string
  /** Parsed JSON. The credential has the same order. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** A CWT before it is signed. */
export interface UnsignedCwt {
  readonly protectedHeader: CborMap
  readonly claims: CborMap
}

/**
 * Builds a compact credential. The claims are beside the registered claims. `cnf` has the key of the holder, and `sub` the DID unless
 * there is another subject. Throws `reserved_claim` if a claim has a reserved name, and `invalid_cwt` if the id is not a UUID.
 */
export function buildCompactCwt(input: Omit<CwtInput, 'type'> & { type?: string | undefined }): UnsignedCwt {
  const custom = Object.entries(input.claims)
  if (custom.some(([name]) => reservedCwtClaims.includes(name))) {
    throw new FormatError('reserved_claim', 'a claim has a name that the credential itself uses')
  }
  return unsignedCwt(input, input.subject ?? input.holder?.did, [
    ...(input.type === undefined ? [] : [['type', input.type] satisfies ClaimEntry]),
    ...custom.map(([name, value]): ClaimEntry => [name, jsonToCbor(value, 1)]),
  ])
}

/**
 * Builds a compact semantic credential. `vc` is a W3C credential with the claims as its subject. `cnf` has the key of the holder, and
 * `credentialSubject.id` the DID. Throws as `buildCompactCwt`.
 */
export function buildCompactSemanticCwt(input: CwtInput): UnsignedCwt {
  if (reservedSubjectClaims.some((name) => Object.hasOwn(input.claims, name))) {
    throw new FormatError('reserved_claim', 'a claim has a name that the credential subject itself uses')
  }
  const did = input.holder?.did
  const subject = Object.entries(input.claims).map(([name, value]): ClaimEntry => [name, jsonToCbor(value, 3)])
  const vc = new Map<CborValue, CborValue>([
    ['@context', [credentialsContext]],
    ['type', ['VerifiableCredential', input.type]],
    ['credentialSubject', new Map(did ? [['id', did], ...subject] : subject)],
  ])
  return unsignedCwt(input, input.subject, [['vc', vc]])
}

/** Builds the same with a given `vc` claim, which is parsed JSON. */
export function buildVcCwt(input: CwtFrame & { readonly vc: Readonly<Record<string, unknown>> }): UnsignedCwt {
  return unsignedCwt(input, input.subject, [['vc', jsonToCbor(input.vc, 1)]])
}

/** Returns the text for the wallet: the prefix of the format and the COSE_Sign1 in base32. */
export function encodeCwtCredential(prefix: (typeof cwtPrefix)[keyof typeof cwtPrefix], cose: Uint8Array): string {
  return prefix + encodeBase32(cose)
}

type ClaimEntry = [CborValue, CborValue]

function unsignedCwt(input: CwtFrame, subject: string | undefined, custom: ClaimEntry[]): UnsignedCwt {
  const { audience, notBefore, expiresAt, holder, status } = input
  const claims: CborMap = new Map()
  claims.set(cwtClaim.iss, input.issuer)
  if (subject !== undefined) claims.set(cwtClaim.sub, subject)
  if (audience !== undefined) claims.set(cwtClaim.aud, audience)
  if (notBefore) claims.set(cwtClaim.nbf, numericDate(notBefore))
  claims.set(cwtClaim.iat, numericDate(input.issuedAt))
  if (expiresAt) claims.set(cwtClaim.exp, numericDate(expiresAt))
  for (const [name, value] of custom) claims.set(name, value)
  // RFC 8747, section 3.1: member 1 of cnf is a COSE_Key.
  if (holder) claims.set(cwtClaim.cnf, new Map([[1, coseKeyFromJwk(holder.jwk)]]))
  if (status) {
    const members: ClaimEntry[] = [
      [cwtStatus.index, status.index],
      [cwtStatus.url, status.url],
    ]
    claims.set(cwtClaim.status, new Map(members))
  }
  claims.set(cwtClaim.cti, uuidBytes(input.credentialId))
  return { protectedHeader: cwtHeader(input), claims }
}

/** Returns the protected header of a CWT. `kid` is a byte string. */
export function cwtHeader({ kid, alg = -7 }: Pick<CwtFrame, 'kid' | 'alg'>): CborMap {
  return new Map<CborValue, CborValue>([
    [coseHeader.kid, Buffer.from(kid)],
    [coseHeader.alg, alg],
  ])
}

/** Returns whole seconds (RFC 8392, section 2). */
export function numericDate(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

function uuidBytes(uuid: string): Buffer {
  if (!uuidPattern.test(uuid)) throw new FormatError('invalid_cwt', 'a credential id is a UUID')
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
