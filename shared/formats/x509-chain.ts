import { X509Certificate } from 'node:crypto'
import { FormatError } from './format-error.ts'
import { type PublicJwk, publicJwk } from './jwk.ts'

const longestChain = 5

export interface CertificateChain {
  /** The key that the leaf certifies. */
  publicJwk: PublicJwk
  /** Whether the chain ends with the root itself, which some profiles forbid (HAIP 1.0, section 4.4.1). */
  hasRoot: boolean
}

/**
 * Follows an `x5c` (RFC 7515, section 4.1.6: base64 DER, the leaf first) to one of the trusted roots (PEM): signatures,
 * names, validity, and that only authorities issue. Throws `invalid_certificate`.
 */
export function verifyCertificateChain(x5c: string[], roots: string[], at: Date): CertificateChain {
  const chain = x5c.map(parseCertificate)
  const trusted = roots.map((pem) => new X509Certificate(pem))
  const [leaf] = chain
  const last = chain.at(-1)
  if (!leaf || !last || chain.length > longestChain) throw invalid('a chain has 1 to 5 certificates')
  if (isSignedBy(leaf, leaf)) throw invalid('the leaf is signed by itself')
  for (const [position, certificate] of chain.entries()) {
    if (!isValidAt(certificate, at)) throw invalid('a certificate is not valid now')
    const issuer = chain[position + 1]
    if (issuer && !isIssuedBy(certificate, issuer)) throw invalid('a certificate is not issued by the next one')
  }
  const hasRoot = trusted.some(({ fingerprint256 }) => fingerprint256 === last.fingerprint256)
  const root = trusted.find((each) => isValidAt(each, at) && isIssuedBy(last, each))
  if (!hasRoot && !root) throw invalid('the chain does not lead to a trusted root')
  return { publicJwk: publicJwk(leaf.publicKey), hasRoot }
}

function parseCertificate(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'not a certificate', { cause })
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && isSignedBy(certificate, issuer)
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, at: Date): boolean {
  return validFromDate <= at && at <= validToDate
}

function invalid(reason: string): FormatError {
  return new FormatError('invalid_certificate', reason)
}
