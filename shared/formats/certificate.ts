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

const mostBytes = 10_000

/**
 * The certificate of a JWS header or a COSE message: the base64 of its DER, with padding and nothing else (RFC 7515, section
 * 4.1.6; RFC 4648, section 4). One certificate has one spelling. Throws `invalid_certificate`.
 */
export function certificateFromBase64(base64: string): X509Certificate {
  const der = Buffer.from(base64, 'base64')
  if (der.toString('base64') !== base64) throw invalid('a certificate is not in plain base64')
  return certificateFromDer(der)
}

/** A certificate of exactly these bytes. Throws `invalid_certificate`, also for what is in PEM, too large, or goes on. */
export function certificateFromDer(der: Buffer): X509Certificate {
  if (der.length > mostBytes) throw invalid('a certificate is too large')
  const certificate = parse(der)
  // The parser would also take PEM, and leave what follows the certificate unread.
  if (!certificate.raw.equals(der)) throw invalid('not a certificate in DER')
  return certificate
}

// Both of the module: what is read follows from the certificate alone, whoever asks.
const fromPem = new LRUCache<string, X509Certificate>({ max: 1_000 })

/** An operator's certificate, kept for the next call. Throws `invalid_certificate`. */
export function certificateFromPem(pem: string): X509Certificate {
  const certificate = fromPem.get(pem) ?? parse(pem)
  fromPem.set(pem, certificate)
  return certificate
}

/** SHA-256 of the certificate that a PEM holds, in hex; undefined where it holds none that OpenSSL reads. */
export function fingerprintOf(pem: string): string | undefined {
  try {
    return parse(pem).fingerprint256.replaceAll(':', '').toLowerCase()
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const onePem = /^\s*-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END CERTIFICATE-----\s*$/

/**
 * A certificate of exactly what one block of PEM holds (RFC 7468, section 3): nothing stands around the block, and nothing in
 * it behind the certificate. Throws `invalid_certificate`.
 */
export function certificateFromStrictPem(pem: string): X509Certificate {
  const [, lines] = onePem.exec(pem) ?? []
  if (lines === undefined) throw invalid('not one certificate in PEM and nothing else')
  return certificateFromBase64(lines.replaceAll(/\s/g, ''))
}

function parse(bytes: Buffer | string): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'not a certificate', { cause })
  }
}

/** What a certificate says of itself and of what may be done with its key (RFC 5280, section 4). */
export interface CertificateContent {
  publicKey: KeyObject
  isSelfIssued: boolean
  /** The OID of the algorithm that it is signed with. */
  signatureAlgorithm: string
  isAuthority: boolean
  /** How many authorities there may be below this one; infinite where it does not say. */
  pathLength: number
  /** The bits of KeyUsageFlags; undefined where nothing is said. */
  keyUsage: number | undefined
  /** The OIDs of the extended key usage; undefined where nothing is said. */
  purposes: readonly string[] | undefined
  extensions: readonly string[]
  criticalExtensions: readonly string[]
}

const contents = new LRUCache<string, CertificateContent>({ max: 1_000 })

/**
 * Reads a certificate, and keeps what it read. It takes several times as long as to check a signature: ask for certificates
 * alone that are trusted, or signed by one that is. Throws `invalid_certificate` for what is not as RFC 5280 has it.
 */
export function contentOf(certificate: X509Certificate): CertificateContent {
  const known = contents.get(certificate.fingerprint256)
  if (known) return known
  const content = read(certificate)
  contents.set(certificate.fingerprint256, content)
  return content
}

function read(certificate: X509Certificate): CertificateContent {
  try {
    // Read here, as OpenSSL first looks at a key when it is asked for it, and throws for one of a kind that it does not know.
    const { raw, publicKey, issuer, subject } = certificate
    const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(raw, Certificate)
    const extensions = [...(tbsCertificate.extensions ?? [])]
    const values = new Map(extensions.map(({ extnID, extnValue }) => [extnID, extnValue.buffer]))
    if (values.size !== extensions.length) throw invalid('an extension is there twice')
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
 * What verifiers show of a subject (RFC 5280, section 4.1.2.6); of several attributes of a kind, the first. Throws
 * `invalid_certificate` for what is not as RFC 5280 has it.
 */
export function subjectOf(certificate: X509Certificate): { country?: string; commonName?: string } {
  const attributes = [...parseContent(certificate).tbsCertificate.subject].flatMap((set) => [...set])
  const first = (type: string) => attributes.find((each) => each.type === type)?.value.toString()
  const [country, commonName] = [first('2.5.4.6'), first('2.5.4.3')]
  return { ...(country !== undefined && { country }), ...(commonName !== undefined && { commonName }) }
}

/** What an extension holds; undefined where there is none. Ask for certificates alone that are trusted (see `contentOf`). */
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
