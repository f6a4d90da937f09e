import type { X509Certificate } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { id_ce_subjectKeyIdentifier, Name } from '@peculiar/asn1-x509'
import { type CborMap, type CborValue, dateTime, tagged } from '../cbor.ts'
import { decodeCbor } from '../cbor-decode.ts'
import { encodeCbor, encodeHead } from '../cbor-encode.ts'
import { extensionOf } from '../certificate.ts'
import { FormatError } from '../format-error.ts'
import { keyIdentifierOf } from '../x509/extensions.ts'
import { attributeIn } from '../x509/name.ts'
import type { TrustedListKind } from './kinds.ts'
import { nameText } from './name-text.ts'
import { rawCertificate } from './raw-certificate.ts'

/**
 * Encodes the fixed parts of a list entry when a certificate is added (ISO/IEC 18013-5, C.1.7.1, and second edition, F.3). `docType` of a
 * VICAL is the fourth member and can change. The result is an array of two byte strings, each an encoded map: the members before and
 * after it. Throws `invalid_certificate`.
 */
export function encodeEntry(kind: TrustedListKind, certificate: X509Certificate): Buffer {
  const { serialNumber, issuer, subject } = rawCertificate(certificate.raw)
  const name = parseName(subject)
  const country = attributeIn(name, 'country')
  const before: CborMap = new Map<string, CborValue>([
    ['certificate', certificate.raw],
    ['serialNumber', tagged(2, serialNumber)],
    ['ski', subjectKeyIdentifierOf(certificate)],
  ])
  const behind: CborMap = new Map<string, CborValue>([
    ...(kind === 'vical' ? ([['issuingAuthority', nameText(name)]] as const) : []),
    ...(country === undefined ? [] : ([['issuingCountry', country]] as const)),
    // Always written: empty if the certificate has none, as in published lists.
    ['stateOrProvinceName', attributeIn(name, 'stateOrProvinceName') ?? ''],
    ['issuer', issuer],
    ['subject', subject],
    ['notBefore', dateTime(certificate.validFromDate)],
    ['notAfter', dateTime(certificate.validToDate)],
  ])
  return encodeCbor([encodeCbor(before), encodeCbor(behind)])
}

/** Joins the result of `encodeEntry` with the members between its parts. */
export function assembleEntry(stored: Uint8Array, between: CborMap): Buffer {
  const parts = decodeCbor(stored)
  const [before, behind] = Array.isArray(parts) ? parts : []
  if (!Buffer.isBuffer(before) || !Buffer.isBuffer(behind)) throw new Error('not an entry of encodeEntry')
  const maps = [before, encodeCbor(between), behind]
  const size = maps.reduce((sum, map) => sum + sizeOf(map), 0)
  return Buffer.concat([encodeHead('map', size), ...maps.map((map) => map.subarray(1))])
}

/** Returns the members of an encoded map with fewer than 24 keys. Its head is one byte. */
function sizeOf(map: Buffer): number {
  return map.readUInt8(0) & 0x1f
}

/**
 * Returns the subject key identifier of the certificate, or method 1 of RFC 5280, section 4.2.1.2, if it has none or an unreadable one.
 * Throws `invalid_certificate`.
 */
export function subjectKeyIdentifierOf(certificate: X509Certificate): Buffer {
  const extension = extensionOf(certificate, id_ce_subjectKeyIdentifier)
  const named = extension && octetsOf(extension)
  return named ?? Buffer.from(keyIdentifierOf(certificate.publicKey))
}

function octetsOf(der: ArrayBuffer): Buffer | undefined {
  try {
    return Buffer.from(AsnConvert.parse(der, OctetString).buffer)
  } catch {
    return undefined
  }
}

function parseName(der: Buffer): Name {
  try {
    return AsnConvert.parse(der, Name)
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'the name in a certificate cannot be read', { cause })
  }
}
