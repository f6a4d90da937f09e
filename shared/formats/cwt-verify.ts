import type { KeyObject } from 'node:crypto'
import { decodeBase32 } from './base32.ts'
import { type CborMap, type CborValue, isTag } from './cbor.ts'
import { decodeCbor } from './cbor-decode.ts'
import { cborToJson } from './cbor-json.ts'
import { coseHeader, parseSign1, type Sign1, verifySign1 } from './cose.ts'
import { cwtClaim, cwtPrefix, cwtStatus } from './cwt.ts'
import { FormatError } from './format-error.ts'
import { jwkFromCoseKey, type PublicJwk } from './jwk.ts'

export type CwtFormat = keyof typeof cwtPrefix

/** A CWT credential as read. Only `verifyCwtCredential` verifies it. */
export interface CwtCredential {
  readonly format: CwtFormat
  readonly kid: string
  readonly issuer: string
  readonly subject?: string
  readonly audience?: string
  readonly notBefore?: Date
  readonly expiresAt?: Date
  readonly issuedAt?: Date
  /** The `cti` as a UUID. */
  readonly credentialId?: string
  readonly status?: { readonly index: number; readonly url: string }
  /** The holder's key from `cnf`. */
  readonly holderJwk?: PublicJwk
  /** The claims with text keys, as JSON: `type` and custom claims of a compact credential, or `vc` of the other formats. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Reads `CSC:/1/`, `CSS:/1/` and `NZCP:/1/` credentials. Throws `invalid_cwt`, `invalid_cose` or `invalid_cbor`. */
export function decodeCwtCredential(text: string): CwtCredential {
  const { format, cose } = openText(text)
  return readCredential(format, parseSign1(cose))
}

/**
 * Reads a credential and verifies its signature with the key of the issuer. The caller checks times, status and trust. Throws as
 * `decodeCwtCredential`.
 */
export function verifyCwtCredential(
  text: string,
  publicKey: KeyObject,
): { verified: boolean; credential: CwtCredential } {
  const { format, cose } = openText(text)
  const sign1 = verifySign1(cose, publicKey)
  return { verified: sign1.verified, credential: readCredential(format, sign1) }
}

function openText(text: string): { format: CwtFormat; cose: Buffer } {
  const formats = Object.keys(cwtPrefix) as CwtFormat[] // the table's own keys
  const format = formats.find((name) => text.startsWith(cwtPrefix[name]))
  if (!format) throw malformed('an unknown prefix')
  return { format, cose: decodeBase32(text.slice(cwtPrefix[format].length)) }
}

function readCredential(format: CwtFormat, { protectedHeader, unprotectedHeader, payload }: Sign1): CwtCredential {
  const claims = decodeCbor(payload)
  if (!(claims instanceof Map)) throw malformed('the claims are not a map')
  const kid = readKid(protectedHeader.get(coseHeader.kid) ?? unprotectedHeader.get(coseHeader.kid))
  return readClaims(format, kid, claims)
}

function readClaims(format: CwtFormat, kid: string, claims: CborMap): CwtCredential {
  const custom = [...claims].filter(([name]) => typeof name === 'string')
  return {
    format,
    kid,
    issuer: readTextClaim(claims.get(cwtClaim.iss)) ?? refuse('no issuer'),
    ...present('subject', readTextClaim(claims.get(cwtClaim.sub))),
    ...present('audience', readTextClaim(claims.get(cwtClaim.aud))),
    ...present('notBefore', readDate(claims.get(cwtClaim.nbf))),
    ...present('expiresAt', readDate(claims.get(cwtClaim.exp))),
    ...present('issuedAt', readDate(claims.get(cwtClaim.iat))),
    ...present('credentialId', readCti(claims.get(cwtClaim.cti))),
    ...present('status', readStatus(claims.get(cwtClaim.status))),
    ...present('holderJwk', readCnf(claims.get(cwtClaim.cnf))),
    claims: Object.fromEntries(custom.map(([name, value]) => [name, cborToJson(value)])),
  }
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value }) // one member, named by `name`
}

/** Reads `kid` as text or bytes: the NZCP specification requires text, but its test vector has bytes. */
export function readKid(kid: CborValue): string {
  if (kid instanceof Uint8Array) return Buffer.from(kid).toString()
  return typeof kid === 'string' ? kid : refuse('no kid')
}

export function readTextClaim(value: CborValue): string | undefined {
  return value === undefined || typeof value === 'string' ? value : refuse('a claim that is not text')
}

/** Reads a NumericDate: seconds, which can have a fraction (RFC 8392, section 2). */
export function readDate(value: CborValue): Date | undefined {
  if (value === undefined) return undefined
  const date = new Date(typeof value === 'number' ? value * 1000 : Number.NaN)
  return Number.isNaN(date.getTime()) ? refuse('a date out of range') : date
}

/** Reads a `cti` as a UUID. Older issuers wrap the 16 bytes in tag 64 (a typed array, RFC 8746). */
function readCti(value: CborValue): string | undefined {
  if (value === undefined) return undefined
  const bytes = isTag(value) && value.tag === 64 ? value.value : value
  if (!(bytes instanceof Uint8Array) || bytes.length !== 16) return refuse('a cti that is not a UUID')
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function readStatus(value: CborValue): { index: number; url: string } | undefined {
  if (value === undefined) return undefined
  const index = value instanceof Map ? value.get(cwtStatus.index) : undefined
  const url = value instanceof Map ? value.get(cwtStatus.url) : undefined
  if (typeof index !== 'number' || typeof url !== 'string') return refuse('a status without index and list')
  return { index, url }
}

function readCnf(value: CborValue): PublicJwk | undefined {
  if (value === undefined) return undefined
  const key = value instanceof Map ? value.get(1) : undefined
  return key instanceof Map ? jwkFromCoseKey(key) : refuse('a cnf without a COSE_Key')
}

function refuse(what: string): never {
  throw malformed(what)
}

function malformed(what: string): FormatError {
  return new FormatError('invalid_cwt', what)
}
