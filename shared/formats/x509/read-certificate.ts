import type { X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AuthorityKeyIdentifier,
  Certificate,
  CRLDistributionPoints,
  IssueAlternativeName,
  type Name,
  SubjectKeyIdentifier,
  Version,
} from '@peculiar/asn1-x509'
import { type CertificateContent, contentOf } from '../certificate.ts'
import { FormatError } from '../format-error.ts'
import { extensionIds } from './extensions.ts'

/** What profiles ask of a certificate, beside what chains do. */
export interface ReadCertificate extends CertificateContent {
  certificate: X509Certificate
  isVersion3: boolean
  /** The bytes of the integer. */
  serialNumber: Buffer
  /** Of the part that is signed; `signatureAlgorithm` stands beside the signature. */
  innerAlgorithm: string
  subject: Name
  issuer: Name
  /** The bits of the key, without the algorithm before them. */
  keyBits: Buffer
  subjectKeyIdentifier: Buffer | undefined
  authorityKeyIdentifier: Buffer | undefined
  issuerAltName: IssueAlternativeName | undefined
  distributionPoints: CRLDistributionPoints | undefined
}

/** Throws `invalid_certificate` for what is not as RFC 5280 has it. */
export function readCertificate(certificate: X509Certificate): ReadCertificate {
  const content = contentOf(certificate)
  try {
    const parsed = AsnConvert.parse(certificate.raw, Certificate)
    const { tbsCertificate: tbs } = parsed
    // What is written in another way than DER has it reads the same, and is another certificate.
    if (!Buffer.from(AsnConvert.serialize(parsed)).equals(certificate.raw)) throw new Error('not in DER')
    const encoded = (id: string) => tbs.extensions?.find(({ extnID }) => extnID === id)?.extnValue.buffer
    const [ski, aki, ian, points] = [
      encoded(extensionIds.subjectKeyIdentifier),
      encoded(extensionIds.authorityKeyIdentifier),
      encoded(extensionIds.issuerAltName),
      encoded(extensionIds.cRLDistributionPoints),
    ]
    const authority = aki && AsnConvert.parse(aki, AuthorityKeyIdentifier).keyIdentifier
    return {
      ...content,
      certificate,
      isVersion3: tbs.version === Version.v3,
      serialNumber: Buffer.from(tbs.serialNumber),
      innerAlgorithm: tbs.signature.algorithm,
      subject: tbs.subject,
      issuer: tbs.issuer,
      keyBits: Buffer.from(tbs.subjectPublicKeyInfo.subjectPublicKey),
      subjectKeyIdentifier: ski && Buffer.from(AsnConvert.parse(ski, SubjectKeyIdentifier).buffer),
      authorityKeyIdentifier: authority && Buffer.from(authority.buffer),
      issuerAltName: ian && AsnConvert.parse(ian, IssueAlternativeName),
      distributionPoints: points && AsnConvert.parse(points, CRLDistributionPoints),
    }
  } catch (cause) {
    throw new FormatError('invalid_certificate', 'a certificate is not in DER, or an extension cannot be read', {
      cause,
    })
  }
}
