import type { KeyObject } from 'node:crypto'
import type {
  CertificateRow,
  CompleteCertificate,
  StoredCertificateContent,
} from '../../db/repos/certificates/certificates.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { certificateFromDer, certificateFromStrictPem } from '../../shared/formats/certificate.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { profileFaults } from '../../shared/formats/x509/check-profile.ts'
import { certificateSubject } from '../../shared/formats/x509/name.ts'
import {
  type AuthorityKind,
  type CertificateKind,
  certificateProfiles,
  certifierOf,
} from '../../shared/formats/x509/profiles.ts'
import { type ReadCertificate, readCertificate } from '../../shared/formats/x509/read-certificate.ts'

interface Input {
  kind: CertificateKind
  /** The row of the authority that must have issued the certificate. Left out, the certificate must be self-signed. */
  ca?: CompleteCertificate
  /** The public key that the certificate must contain. */
  publicKey?: KeyObject
  at: Date
}

/** Returns the content of a certificate that an operator uploaded. Throws `bad_request` with each violation of its profile. */
export function contentOfUpload(pem: string, input: Input): StoredCertificateContent {
  return contentOf(readPem(pem), input, input.ca && readRow(input.ca))
}

/**
 * Returns the content of a signer's certificate. The certificate of one intermediate authority can follow (ISO/IEC 18013-5,
 * C.1.7: a chain of three tiers). The intermediate must be issued by the authority of the row, and must have issued the signer's
 * certificate. Throws `bad_request`, also if the authority allows no intermediate.
 */
export function contentOfChain(pem: string, input: Input & { ca: CompleteCertificate }): SignerContent {
  const [leafPem = '', intermediatePem] = pem.split(/(?<=-----END CERTIFICATE-----)\s*(?=-----BEGIN)/)
  if (intermediatePem === undefined) return { ...contentOfUpload(pem, input), intermediate: null }
  const { ca, publicKey, at } = input
  const [leaf, intermediate, root] = [readPem(leafPem), readPem(intermediatePem), readRow(ca)]
  if (publicKey && intermediate.publicKey.equals(publicKey))
    throw refused(['The certificate of the signer must come first'])
  const faults = intermediateFaults({ intermediate, root, kind: certifierOf(input.kind), at })
  if (faults.length > 0) throw refused(faults.map((fault) => `The second certificate: ${fault}`))
  if (isOutside(leaf, intermediate)) throw refused(['Its validity exceeds the validity of the second certificate'])
  const authority = 'the second certificate'
  return { ...contentOf(leaf, { ...input, authority }, intermediate), intermediate: intermediate.certificate.raw }
}

type SignerContent = StoredCertificateContent & Pick<CertificateRow, 'intermediate'>

interface Chained {
  intermediate: ReadCertificate
  root: ReadCertificate
  kind: AuthorityKind
  at: Date
}

function intermediateFaults({ intermediate, root, kind, at }: Chained): string[] {
  const { name } = certificateProfiles[kind]
  if (intermediate.certificate.raw.equals(root.certificate.raw))
    return [`It is the certificate of the ${name}. Leave it out.`]
  // RFC 5280, section 6.1.4 (l): a pathLen of 0 allows no intermediate authority, except a self-issued one.
  if (root.pathLength < 1) {
    return [
      `The ${name} allows no intermediate authority, because its pathLen is 0. Use a certificate that the ${name} issued itself, or another ${name}.`,
    ]
  }
  return profileFaults({ kind, certificate: intermediate, issuer: root, at })
}

function isOutside({ certificate: leaf }: ReadCertificate, { certificate: issuer }: ReadCertificate): boolean {
  return leaf.validFromDate < issuer.validFromDate || leaf.validToDate > issuer.validToDate
}

function contentOf(
  certificate: ReadCertificate,
  { kind, publicKey, authority, at }: Input & { authority?: string },
  issuer: ReadCertificate | undefined,
): StoredCertificateContent {
  const faults = profileFaults({
    ...{ kind, certificate, at },
    ...(issuer && { issuer }),
    ...(publicKey && { publicKey }),
    ...(authority && { authority }),
  })
  if (faults.length > 0) throw refused(faults)
  const subject = certificateSubject(certificate.subject)
  if (!subject) throw refused(['Its subject cannot be read'])
  const { raw, fingerprint256, validFromDate, validToDate } = certificate.certificate
  return {
    certificate: raw,
    serialNumber: certificate.serialNumber.toString('hex'),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: validFromDate,
    notAfter: validToDate,
    subject,
  }
}

function readRow({ certificate }: CompleteCertificate): ReadCertificate {
  return readCertificate(certificateFromDer(certificate))
}

function readPem(pem: string): ReadCertificate {
  try {
    return readCertificate(certificateFromStrictPem(pem))
  } catch (error) {
    if (error instanceof FormatError) throw refused([`It cannot be read: ${error.message}`])
    throw error
  }
}

function refused(faults: string[]): Problem {
  return new Problem('bad_request', {
    details: faults.map((msg) => ({ msg, param: 'certificatePem', location: 'body' })),
  })
}
