import { hash, X509Certificate } from 'node:crypto'
import { bigUintValue, type CborMap, type CborValue, isTag } from '../cbor.ts'
import { readTdate } from './tdate.ts'

/** The entry of a list for one certificate. Prefer values of the certificate itself, where it has them. */
export interface ListedCertificate {
  /** The bytes as received. They may not be strict DER. */
  der: Buffer
  /** SHA-256 of the certificate, in lower-case hexadecimal. */
  fingerprint: string
  /** Absent if OpenSSL cannot read the certificate. */
  certificate: X509Certificate | undefined
  serialNumber: bigint | undefined
  /** The raw identifier, also if the list has it in an OCTET STRING of DER. */
  ski: Buffer | undefined
  /** Empty for a RICAL. */
  docTypes: readonly string[]
  issuingAuthority: string | undefined
  issuingCountry: string | undefined
  stateOrProvinceName: string | undefined
  name: string | undefined
  /** The value of the list. It differs from that of the certificate in some lists. */
  notBefore: Date | undefined
  notAfter: Date | undefined
  /** The complete entry as received. */
  fields: CborMap
}

/** Reads an entry leniently. It must only be a map with the bytes of a certificate. */
export function readEntry(item: CborValue): ListedCertificate | { reason: string } {
  if (!(item instanceof Map)) return { reason: 'it is not a map' }
  const field = fieldsOf(item)
  const der = field('certificate')
  if (!Buffer.isBuffer(der)) return { reason: 'it has no certificate' }
  const docTypes = field('docType')
  return {
    der,
    fingerprint: hash('sha256', der),
    certificate: parse(der),
    serialNumber: serialNumberOf(field('serialNumber')),
    ski: identifierOf(field('ski')),
    docTypes: Array.isArray(docTypes) ? docTypes.filter((each) => typeof each === 'string') : [],
    issuingAuthority: textOf(field('issuingAuthority')),
    issuingCountry: textOf(field('issuingCountry')),
    stateOrProvinceName: textOf(field('stateOrProvinceName')),
    name: textOf(field('name')),
    notBefore: readTdate(field('notBefore')),
    notAfter: readTdate(field('notAfter')),
    fields: item,
  }
}

/** Also reads `Extensions` and `CertificateProfile`, which some lists have. The spelling of the standard has priority. */
function fieldsOf(entry: CborMap): (key: string) => CborValue {
  return (key) => entry.get(key) ?? entry.get(key.charAt(0).toUpperCase() + key.slice(1))
}

function parse(der: Buffer): X509Certificate | undefined {
  // The parser also accepts PEM.
  if (der[0] !== 0x30) return undefined
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

/** Also reads tag 3, which some lists use if the first bit of the octets is set, and a plain integer. */
function serialNumberOf(value: CborValue): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (!isTag(value) || !Buffer.isBuffer(value.value)) return undefined
  const bytes = value.value
  if (value.tag === 2) return bigUintValue(bytes)
  return value.tag === 3 ? BigInt.asUintN(bytes.length * 8, -1n - bigUintValue(bytes)) : undefined
}

/** Also reads the complete value of the certificate's extension: the identifier in an OCTET STRING (tag 04 and its length). */
function identifierOf(value: CborValue): Buffer | undefined {
  if (!Buffer.isBuffer(value)) return undefined
  let ski = value
  while (ski.length > 20 && ski[0] === 0x04 && ski[1] === ski.length - 2) ski = ski.subarray(2)
  return ski
}

function textOf(value: CborValue): string | undefined {
  return typeof value === 'string' ? value : undefined
}
