import { type KeyObject, X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  KeyUsage,
} from '@peculiar/asn1-x509'
import { LRUCache } from 'lru-cache'
import { FormatError } from './format-error.ts'

const maxBytes = 10_000

/**
 * Reads the certificate of a JWS header: the base64 of its DER, with padding (RFC 7515, section 4.1.6; RFC 4648, section 4). Accepts
 * only the canonical encoding. Throws `invalid_certificate`.
 */
export function certificateFromBase64(base64: string): X509Certificate {
  const der = Buffer.from(base64, 'base64')
  if (der.toString('base64') !== base64) throw invalid('a certificate is not in plain base64')
  return certificateFromDer(der)
}

/** Reads a certificate of exactly these bytes. Throws `invalid_certificate`, also for PEM, a large file, and trailing bytes. */
export function certificateFromDer(der: Buffer): X509Certificate {
  if (der.length > maxBytes) throw invalid('a certificate is too large')
  const certificate = parse(der)
  // The parser also accepts PEM, and ignores bytes after the certificate.
  if (!certificate.raw.equals(der)) throw invalid('not a certificate in DER')
  return certificate
}

// Both caches are global, because their values depend only on the certificate.
const fromPem = new LRUCache<string, X509Certificate>({ max: 1_000 })

/** Reads a certificate of an operator, and caches it. Throws `invalid_certificate`. */
export function certificateFromPem(pem: string): X509Certificate {
  const certificate = fromPem.get(pem) ?? parse(pem)
  fromPem.set(pem, certificate)
  return certificate
}

/** Returns the SHA-256 of the certificate in a PEM, in hex. Returns undefined if OpenSSL reads none. */
export function fingerprintOf(pem: string): string | undefined {
  try {
    return parse(pem).fingerprint256.replaceAll(':', '').toLowerCase()
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

// Each character can match in one way only, so that the time grows linearly with the text.
const onePem = /^\s*-----BEGIN CERTIFICATE-----\s([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/

/**
 * Reads the certificate in a single PEM block (RFC 7468, section 3). Nothing may surround the block, and nothing may follow the
 * certificate in it. Throws `invalid_certificate`.
 */
export function certificateFromStrictPem(pem: string): X509Certificate {
  const [, lines] = onePem.exec(pem) ?? []
  if (lines === undefined) throw invalid('not one certificate in PEM and nothing else')
  return certificateFromBase64(lines.replaceAll(/\s/g, ''))
}

/**
 * Encodes a certificate as PEM (RFC 7468, section 2). It does not change the bytes, so that the fingerprint matches.
 */
export function pemOfDer(der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{1,64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}

function parse(bytes: Buffer | string): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'not a certificate', { cause })
  }
}

/** The parts of a certificate that describe its subject and the uses of its key (RFC 5280, section 4). */
export interface CertificateContent {
  publicKey: KeyObject
  isSelfIssued: boolean
  /** The OID of the signature algorithm. */
  signatureAlgorithm: string
  isAuthority: boolean
  /** Maximum number of authorities below this one. Infinite if the certificate has no limit. */
  pathLength: number
  /** The bits of KeyUsageFlags. Undefined without the extension. */
  keyUsage: number | undefined
  /** The OIDs of the extended key usage. Undefined without the extension. */
  purposes: readonly string[] | undefined
  extensions: readonly string[]
  criticalExtensions: readonly string[]
}

const contents = new LRUCache<string, CertificateContent>({ max: 1_000 })

/**
 * Reads the content of a certificate, and caches it. Reading takes several times as long as the check of a signature. Call it only for
 * trusted certificates, and for certificates signed by a trusted one. Throws `invalid_certificate` if RFC 5280 is violated.
 */
export function contentOf(certificate: X509Certificate): CertificateContent {
  const cachedContent = contents.get(certificate.fingerprint256)
  if (cachedContent) return cachedContent
  const content = read(certificate)
  contents.set(certificate.fingerprint256, content)
  return content
}

function read(certificate: X509Certificate): CertificateContent {
  try {
    // Reads `publicKey` inside the `try`, because OpenSSL parses the key on access and throws for an unknown kind.
    const { raw, publicKey, issuer, subject } = certificate
    const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(raw, Certificate)
    const extensions = [...(tbsCertificate.extensions ?? [])]
    const values = new Map(extensions.map(({ extnID, extnValue }) => [extnID, extnValue.buffer]))
    if (values.size !== extensions.length) throw invalid('an extension occurs twice')
    const [constraints, usage, purposes] = [id_ce_basicConstraints, id_ce_keyUsage, id_ce_extKeyUsage].map((id) =>
      values.get(id),
    )
    const { cA = false, pathLenConstraint = Number.POSITIVE_INFINITY } = constraints
      ? AsnConvert.parse(constraints, BasicConstraints)
      : {}
    return {
      publicKey,
      isSelfIssued: issuer === subject,
      signatureAlgorithm: signatureAlgorithm.algorithm,
      isAuthority: cA,
      pathLength: pathLenConstraint,
      keyUsage: usage && AsnConvert.parse(usage, KeyUsage).toNumber(),
      purposes: purposes && [...AsnConvert.parse(purposes, ExtendedKeyUsage)],
      extensions: [...values.keys()],
      criticalExtensions: extensions.filter(({ critical }) => critical).map(({ extnID }) => extnID),
    }
  } catch (cause) {
    if (cause instanceof FormatError) throw cause
    throw new FormatError('invalid_certificate', 'a certificate cannot be read', { cause })
  }
}

/**
 * Returns the attributes of a subject that verifiers show (RFC 5280, section 4.1.2.6). If an attribute occurs several times, returns
 * the first. Throws `invalid_certificate` if RFC 5280 is violated.
 */
export function subjectOf(certificate: X509Certificate): { country?: string; commonName?: string } {
  const attributes = [...parseContent(certificate).tbsCertificate.subject].flatMap((set) => [...set])
  const first = (type: string) => attributes.find((each) => each.type === type)?.value.toString()
  const [country, commonName] = [first('2.5.4.6'), first('2.5.4.3')]
  return { ...(country !== undefined && { country }), ...(commonName !== undefined && { commonName }) }
}

/** Returns the value of an extension, or undefined. Call it only for trusted certificates (see `contentOf`). */
export function extensionOf(certificate: X509Certificate, id: string): ArrayBuffer | undefined {
  const { extensions = [] } = parseContent(certificate).tbsCertificate
  return extensions.find(({ extnID }) => extnID === id)?.extnValue.buffer
}

function parseContent({ raw }: X509Certificate): Certificate {
  try {
    return AsnConvert.parse(raw, Certificate)
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'a certificate cannot be read', { cause })
  }
}

function invalid(reason: string): FormatError {
  return new FormatError('invalid_certificate', reason)
}
