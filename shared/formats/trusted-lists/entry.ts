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
 * What a list says of a certificate, encoded once, when the certificate is added (formats: ISO/IEC 18013-5, C.1.7.1, and
 * second edition, F.3). What may change stands fourth in an entry, `docType` of a VICAL; so this is an array of two byte
 * strings, each an encoded map: what stands before it, and what stands behind. Throws `invalid_certificate`.
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
    // Never left out: empty where the certificate has none, as the lists have it that are published.
    ['stateOrProvinceName', attributeIn(name, 'stateOrProvinceName') ?? ''],
    ['issuer', issuer],
    ['subject', subject],
    ['notBefore', dateTime(certificate.validFromDate)],
    ['notAfter', dateTime(certificate.validToDate)],
  ])
  return encodeCbor([encodeCbor(before), encodeCbor(behind)])
}

/** The encoded entry of a list, made of what `encodeEntry` gave and of what stands between, which may be nothing. */
export function assembleEntry(stored: Uint8Array, between: CborMap): Buffer {
  const parts = decodeCbor(stored)
  const [before, behind] = Array.isArray(parts) ? parts : []
  if (!Buffer.isBuffer(before) || !Buffer.isBuffer(behind)) throw new Error('not an entry as encodeEntry makes it')
  const maps = [before, encodeCbor(between), behind]
  const size = maps.reduce((sum, map) => sum + sizeOf(map), 0)
  return Buffer.concat([encodeHead('map', size), ...maps.map((map) => map.subarray(1))])
}

/** Of a map of fewer than 24 keys, whose head is one byte. */
function sizeOf(map: Buffer): number {
  return map.readUInt8(0) & 0x1f
}

/**
 * What lists have of the key: method 1 of RFC 5280, section 4.2.1.2, where the certificate names none, or none that can be read.
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
