import type { KeyObject } from 'node:crypto'
import type { CertificateContent, MadeCertificate } from '../../db/repos/certificates/certificates.ts'
import { Problem } from '../../shared/errors.ts'
import { certificateFromDer, certificateFromStrictPem } from '../../shared/formats/certificate.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { profileFaults } from '../../shared/formats/x509/check-profile.ts'
import { certificateSubject } from '../../shared/formats/x509/name.ts'
import type { CertificateKind } from '../../shared/formats/x509/profiles.ts'
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
export function contentOfUpload(pem: string, { kind, ca, publicKey, at }: Asked): CertificateContent {
  const certificate = readPem(pem)
  const issuer = ca && readCertificate(certificateFromDer(ca.certificate))
  const faults = profileFaults({ kind, certificate, ...(issuer && { issuer }), ...(publicKey && { publicKey }), at })
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
