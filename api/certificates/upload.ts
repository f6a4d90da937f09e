import type { KeyObject } from 'node:crypto'
import type {
  CertificateRow,
  MadeCertificate,
  StoredCertificateContent,
} from '../../db/repos/certificates/certificates.ts'
import { Problem } from '../../shared/errors.ts'
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

interface Asked {
  kind: CertificateKind
  /** The row of the authority that is to have issued it; itself where it is left out. */
  ca?: MadeCertificate
  /** The key that it is to be for. */
  publicKey?: KeyObject
  at: Date
}

/** What a certificate that an operator brings says. Throws `bad_request` with each point that is not as its profile has it. */
export function contentOfUpload(pem: string, asked: Asked): StoredCertificateContent {
  return contentOf(readPem(pem), asked, asked.ca && readRow(asked.ca))
}

/**
 * The same of a signer's, behind which that of one authority may follow, which has certified it, and which the authority of its row
 * has certified (ISO/IEC 18013-5, C.1.7: a chain of three tiers). Throws `bad_request`, also where the latter allows no authority under it.
 */
export function contentOfChain(pem: string, asked: Asked & { ca: MadeCertificate }): SignerContent {
  const [leafPem = '', intermediatePem] = pem.split(/(?<=-----END CERTIFICATE-----)\s*(?=-----BEGIN)/)
  if (intermediatePem === undefined) return { ...contentOfUpload(pem, asked), intermediate: null }
  const { ca, publicKey, at } = asked
  const [leaf, intermediate, root] = [readPem(leafPem), readPem(intermediatePem), readRow(ca)]
  if (publicKey && intermediate.publicKey.equals(publicKey))
    throw refused(['The certificate of the signer comes first'])
  const faults = intermediateFaults({ intermediate, root, kind: certifierOf(asked.kind), at })
  if (faults.length > 0) throw refused(faults.map((fault) => `The second certificate: ${fault}`))
  if (isOutside(leaf, intermediate)) throw refused(['It is valid at times when the second certificate is not'])
  const authority = 'the second certificate'
  return { ...contentOf(leaf, { ...asked, authority }, intermediate), intermediate: intermediate.certificate.raw }
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
  if (intermediate.certificate.raw.equals(root.certificate.raw)) return [`It is that of the ${name}: leave it out`]
  // RFC 5280, section 6.1.4 (l): none is below one that allows none, but for those of its own name.
  if (root.pathLength < 1) {
    return [
      `The ${name} allows no authority under it, since its pathLen is 0: let it certify the signer itself, or bring another ${name}`,
    ]
  }
  return profileFaults({ kind, certificate: intermediate, issuer: root, at })
}

function isOutside({ certificate: leaf }: ReadCertificate, { certificate: issuer }: ReadCertificate): boolean {
  return leaf.validFromDate < issuer.validFromDate || leaf.validToDate > issuer.validToDate
}

function contentOf(
  certificate: ReadCertificate,
  { kind, publicKey, authority, at }: Asked & { authority?: string },
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

function readRow({ certificate }: MadeCertificate): ReadCertificate {
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
